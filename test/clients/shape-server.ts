// An MCP server over stdio whose tools are the shapes. It speaks JSON-RPC by hand, since a library would refuse to send
// some of them. Its arguments name the shapes it offers; without any it offers all.
//   node --import tsx test/clients/shape-server.ts plain_text thin_text

import { createInterface } from "node:readline";
import { type Shape, shapes } from "./shapes.ts";

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const LATEST = "2025-11-25";
const known = new Set(["2024-11-05", "2025-03-26", "2025-06-18", LATEST]);
const names = process.argv.slice(2);
const offered = new Map(
  shapes.filter(({ name }) => names.length === 0 || names.includes(name)).map((each) => [each.name, each]),
);

const toolOf = ({ name, says, outputSchema }: Shape): object => ({
  name,
  description: `Gives ${says}.`,
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
  ...(outputSchema && { outputSchema }),
});

function initialized(asked: string | undefined): object {
  return {
    protocolVersion: asked !== undefined && known.has(asked) ? asked : LATEST,
    capabilities: { tools: {} },
    serverInfo: { name: "lab", version: "1.0.0" },
  };
}

/** `result` or `error` of a JSON-RPC response. */
function answer({ method, params }: Request): object {
  if (method === "initialize") return { result: initialized(params?.protocolVersion) };
  if (method === "ping") return { result: {} };
  if (method === "tools/list") return { result: { tools: [...offered.values()].map(toolOf) } };
  if (method === "tools/call") {
    const shape = offered.get(params?.name ?? "");
    return shape?.answer ?? { error: { code: -32_602, message: "Unknown tool" } };
  }
  // Also `server/discover`, which newer clients ask first: silence would make them wait.
  return { error: { code: -32_601, message: "Method not found" } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined || request.method === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answer(request) })}\n`);
}
