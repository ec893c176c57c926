import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { loadServer } from "./harness/built.ts";
import { recordSchema } from "./harness/record-schema.ts";
import { recordsOfSize } from "./harness/records.ts";
const variant = process.argv[2];
const payload = { records: recordsOfSize(1000) };
const mcp = new McpServer({ name: "r", version: "1" });
if (variant === "waybill") { const { createContract } = await loadServer(); createContract({ name: "r" }).server(mcp).registerTool("t", { description: "d", outputSchema: recordSchema }, () => payload); }
else if (variant === "floor") {
  const { advertiseOutput } = await import("../dist/advertise/envelope-schema.js" as string);
  const { openSchema, jsonSchemaOf } = await import("../dist/server/standard-schema.js" as string);
  const env = { success: true, data: payload, error: null, meta: { version: "response-v2", request_id: "req_0a1b2c3d4e5f" } };
  mcp.registerTool("t", { description: "d", inputSchema: openSchema({ type: "object", properties: {} }), outputSchema: openSchema(advertiseOutput(jsonSchemaOf(recordSchema, "output"), { dialects: ["response-v2"] })) } as never, (() => ({ content: [{ type: "text", text: JSON.stringify(env) }], structuredContent: env, _meta: { "waybill/contract": { dialect: "response-v2", profile: "standard" }, "waybill/notes": { request_id: "req_0a1b2c3d4e5f", telemetry: { duration_ms: 1 } } } })) as never);
}
else mcp.registerTool("t", { description: "d", outputSchema: recordSchema }, () => ({ content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload }));
const [a, b] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "c", version: "1" });
await Promise.all([mcp.connect(b), client.connect(a)]);
await client.listTools();
const N = 6000;
for (let i = 0; i < 1500; i++) await client.callTool({ name: "t", arguments: {} });
const s = process.cpuUsage();
for (let i = 0; i < N; i++) await client.callTool({ name: "t", arguments: {} });
const e = process.cpuUsage(s);
console.log(variant, ((e.user + e.system) / N).toFixed(1), "us/call");
