// The server behind the capacity bench: JSON-RPC on stdin and stdout by hand, so that it costs little itself. No two
// results of `records` are the same, so every cut is a new entry of the archive.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";

const { payloads } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const texts = Object.fromEntries(
  Object.entries(payloads).map(([size, records]) => [size, JSON.stringify(records)]),
);
const inputSchema = { type: "object", properties: { size: { type: "string" } } };
const tools = [{ name: "records", description: "Records", inputSchema }];
const serverInfo = { name: "fresh", version: "1.0.0" };
let number = 0;

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo }),
  "tools/list": () => ({ tools, ttlMs: 0, cacheScope: "private" }),
  "tools/call": ({ arguments: { size } }) => ({
    content: [{ type: "text", text: `{"call":${number++},"at":${Date.now()},"records":${texts[size]}}` }],
  }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const said =
    answer === undefined
      ? { error: { code: -32601, message: "Method not found" } }
      : { result: { resultType: "complete", ...answer(params) } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
});
