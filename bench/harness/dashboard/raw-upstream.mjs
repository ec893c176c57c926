// The server behind both gateways: it answers at once and does nothing else, so that the two cores of a small machine
// are left to what is measured. One result in a hundred is a failure, which the dashboard must never leave out.
import { createInterface } from "node:readline";

const record = { id: "rec_0001", name: "Harbour ledger", note: "winter quota granite lantern copper sail" };
const text = JSON.stringify(Array.from({ length: 10 }, (_, at) => ({ ...record, at })));
const good = JSON.stringify({ content: [{ type: "text", text }] });
const bad = JSON.stringify({ content: [{ type: "text", text: "Error: no such record" }], isError: true });
const inputSchema = { type: "object", properties: { at: { type: "number" } } };
const answers = {
  initialize: JSON.stringify({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "raw", version: "1.0.0" },
  }),
  "tools/list": JSON.stringify({ tools: [{ name: "read", inputSchema }] }),
  ping: "{}",
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const called = params?.arguments?.at % 100 === 99 ? bad : good;
  const result = method === "tools/call" ? called : (answers[method] ?? "{}");
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
});
