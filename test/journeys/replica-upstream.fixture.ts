// A server of the modern era on stdin and stdout, with a tool whose result no budget holds and no two calls share.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { recordsOf } from "./replica-records.fixture.ts";

serveStdio(() => {
  const server = new McpServer({ name: "records", version: "1.0.0" });
  const record = z.object({ id: z.string(), title: z.string() });
  server.registerTool(
    "records",
    {
      description: "Many records",
      inputSchema: z.object({ seed: z.string() }),
      outputSchema: z.object({ records: z.array(record) }),
    },
    ({ seed }) => {
      const structuredContent = { records: recordsOf(seed) };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  return server;
});
