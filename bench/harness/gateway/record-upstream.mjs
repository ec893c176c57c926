// The server behind every bridge of the bench: SDK 1.32.2 on stdio, as most published servers are. Its results are
// made once. `text` sends one JSON text, `struct` sends the same as structure too; `line` sends a text of any size.
import { readFileSync } from "node:fs";
import { Server } from "mcp-sdk-1-32/server/index.js";
import { StdioServerTransport } from "mcp-sdk-1-32/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "mcp-sdk-1-32/types.js";

const { payloads } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const results = new Map();
for (const [size, records] of Object.entries(payloads)) {
  const structuredContent = { records };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  results.set(`text ${size}`, { content });
  results.set(`struct ${size}`, { content, structuredContent });
}
const inputSchema = { type: "object", properties: { size: {} } };
const outputSchema = {
  type: "object",
  properties: { records: { type: "array", items: { type: "object" } } },
  required: ["records"],
};
const tools = [
  { name: "text", inputSchema },
  { name: "struct", inputSchema, outputSchema },
  { name: "line", inputSchema },
];
const server = new Server({ name: "records", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  const { size } = params.arguments;
  if (params.name !== "line") return results.get(`${params.name} ${size}`);
  const row = "the quick brown fox jumps over the lazy dog 0123456789\n";
  return { content: [{ type: "text", text: row.repeat(Math.ceil(size / row.length)).slice(0, size) }] };
});
await server.connect(new StdioServerTransport());
