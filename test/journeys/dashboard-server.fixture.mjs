// An MCP server of a few lines, so that a journey starts at once. One tool answers with as many lines as it is asked for,
// another with the id of its process.
import { createInterface } from "node:readline";

const pid = { name: "pid", description: "The id of the process.", inputSchema: { type: "object" } };
const lines = {
  name: "lines",
  description: "As many lines as you want.",
  inputSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
  annotations: { readOnlyHint: true },
};

function resultOf({ method, params }) {
  if (method === "initialize")
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "lines", version: "1" },
    };
  if (method === "tools/list") return { tools: [lines, pid] };
  if (params?.name === "pid") return { content: [{ type: "text", text: `process ${process.pid}` }] };
  if (method === "tools/call") {
    const { count } = params.arguments ?? {};
    if (!Number.isInteger(count))
      return { isError: true, content: [{ type: "text", text: "count is missing" }] };
    const text = Array.from({ length: count }, (_, at) => `line ${at + 1} of ${count}`).join("\n");
    return { content: [{ type: "text", text }] };
  }
  return {};
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) })}\n`);
});
