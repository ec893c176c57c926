import { McpServer } from "@modelcontextprotocol/server";
import { loadServer } from "./built.ts";
import { recordSchema, sizes } from "./record-schema.ts";
import { recordsOfSize } from "./records.ts";

export const variants = ["plain", "waybill"] as const;
export type Variant = (typeof variants)[number];

/** A server with a tool a size: plain SDK, or the same under Waybill. It reports its own CPU time. */
export async function buildRecordServer(variant: Variant): Promise<McpServer> {
  const mcp = new McpServer({ name: "records", version: "1.0.0" });
  const payloads = Object.entries(sizes).map(([name, bytes]) => ({
    name,
    payload: { records: recordsOfSize(bytes) },
  }));
  mcp.registerTool("cpu", { description: "CPU time of this process" }, () => {
    const { user, system } = process.cpuUsage();
    return { content: [{ type: "text", text: String(user + system) }] };
  });
  if (variant === "plain") {
    for (const { name, payload } of payloads) {
      mcp.registerTool(name, { description: "Records", outputSchema: recordSchema }, () => ({
        content: [{ type: "text", text: JSON.stringify(payload) }],
        structuredContent: payload,
      }));
    }
    return mcp;
  }
  const { createContract } = await loadServer();
  const server = createContract({ name: "records" }).server(mcp);
  for (const { name, payload } of payloads) {
    const budget = name.endsWith("_uncut") ? { budget: { tokens: "off" } as const } : {};
    server.registerTool(
      name,
      { description: "Records", outputSchema: recordSchema, ...budget },
      () => payload as never,
    );
  }
  return mcp;
}
