// One of several servers on one Redis, over stdio: `node --import tsx replica-stdio.fixture.ts <redis URL> <tenant>`.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";

const [store = "", tenant = ""] = process.argv.slice(2);
const contract = createContract({
  name: "replica",
  logLevel: "silent",
  budget: { tokens: 800 },
  store,
  tenant: () => tenant,
});

const records = Array.from({ length: 1_000 }, (_, at) => ({ id: `rec-${at}`, said: `Record ${at} of many` }));

const list = defineTool("list", { description: "All records, far over the budget" }, () => ({ records }));

const page = defineTool(
  "page",
  { description: "Records by pages", inputSchema: z.object({ cursor: z.string().optional() }) },
  ({ cursor }, context) =>
    context.page({
      path: "records",
      cursor,
      limit: 5,
      fetch: ({ after, limit }) => {
        const start = records.findIndex(({ id }) => id === after) + 1;
        return records.slice(start, start + limit);
      },
      key: ({ id }) => id,
    }),
);

const rare = defineTool(
  "rare",
  { description: "Five calls a minute", rateLimit: { limit: 5, periodSeconds: 60 } },
  () => ({ done: true }),
);

serveStdio(() => contract.server(new McpServer({ name: "replica", version: "1.0.0" })).add(list, page, rare));
