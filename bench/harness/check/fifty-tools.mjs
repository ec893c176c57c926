// A server with 50 read-only tools of five kinds, as people write them: a lookup, a search with pages, a long text, a
// calculation, and one that fails. Each takes a few milliseconds, as a look into a database does.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";

const server = new McpServer({ name: "fifty-tools", version: "1.0.0" });
const words = "the mill stood by the river and its wheel turned all night ".split(" ");
const WORK_MS = 5;

const rows = (count, offset) =>
  Array.from({ length: count }, (_, at) => ({
    id: offset + at,
    title: words.slice(at % 6).join(" "),
    tags: ["a", "b"],
    score: at / 10,
  }));

const answer = (structuredContent) => ({
  content: [{ type: "text", text: JSON.stringify(structuredContent) }],
  structuredContent,
});

const row = z.object({ id: z.number(), title: z.string(), tags: z.array(z.string()), score: z.number() });

const kinds = {
  get: {
    inputSchema: z.object({ id: z.int().min(0).max(1_000).describe("The number of the record") }),
    outputSchema: z.object({ record: row }),
    run: ({ id }) => answer({ record: rows(1, id)[0] }),
  },
  search: {
    inputSchema: z.object({
      query: z.string().min(1).max(200),
      limit: z.int().min(1).max(100).optional(),
      order: z.enum(["score", "id"]).optional(),
      filters: z.array(z.object({ field: z.string(), value: z.union([z.string(), z.number()]) })).optional(),
    }),
    outputSchema: z.object({ records: z.array(row) }),
    run: ({ limit = 20 }) => answer({ records: rows(limit, 0) }),
  },
  read: {
    inputSchema: z.object({ path: z.string().regex(/^[a-z/]+$/), lines: z.int().min(1).max(500).optional() }),
    run: ({ lines = 100 }) => ({
      content: [{ type: "text", text: Array.from({ length: lines }, () => words.join(" ")).join("\n") }],
    }),
  },
  sum: {
    inputSchema: z.object({ values: z.array(z.number()).max(50), round: z.boolean().optional() }),
    outputSchema: z.object({ sum: z.number() }),
    run: ({ values }) => answer({ sum: values.reduce((sum, value) => sum + value, 0) }),
  },
  check: {
    inputSchema: z.object({ name: z.string().max(40), at: z.iso.datetime().optional() }),
    run: ({ name }) => ({ content: [{ type: "text", text: `No record is called ${name}` }], isError: true }),
  },
};

for (let copy = 1; copy <= 10; copy++) {
  for (const [kind, { run, ...config }] of Object.entries(kinds)) {
    server.registerTool(
      `${kind}_${copy}`,
      {
        description: `What ${kind} does in area ${copy}: one sentence that tells a model when to use it.`,
        annotations: { readOnlyHint: true },
        ...config,
      },
      async (input) => {
        await sleep(WORK_MS);
        return run(input);
      },
    );
  }
}

await server.connect(new StdioServerTransport());
