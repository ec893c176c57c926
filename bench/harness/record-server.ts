// One stdio server with a tool a size, plain SDK or under Waybill, for bench/server.ts. It reports its own CPU time.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { loadServer } from "./built.ts";
import { recordSchema, sizes } from "./record-schema.ts";
import { recordsOfSize } from "./records.ts";

const variant = process.argv[2];
const mcp = new McpServer({ name: "records", version: "1.0.0" });
const payloads = Object.entries(sizes).map(([name, bytes]) => ({
  name,
  payload: { records: recordsOfSize(bytes) },
}));

mcp.registerTool("cpu", { description: "CPU time of this process" }, () => {
  const { user, system } = process.cpuUsage();
  return { content: [{ type: "text", text: String(user + system) }] };
});

if (variant === "waybill") {
  const { createContract } = await loadServer();
  const server = createContract({ name: "records" }).server(mcp);
  for (const { name, payload } of payloads) {
    server.registerTool(name, { description: "Records", outputSchema: recordSchema }, () => payload);
  }
} else {
  for (const { name, payload } of payloads) {
    mcp.registerTool(name, { description: "Records", outputSchema: recordSchema }, () => ({
      content: [{ type: "text", text: JSON.stringify(payload) }],
      structuredContent: payload,
    }));
  }
}
await mcp.connect(new StdioServerTransport());
