/** A server in a few lines of plain JavaScript, so that a process of it starts quickly. `read` makes records of about 100 bytes. */
const source = String.raw`
const title = "quiet harbour signal winter lantern copper bridge meadow river";
const tool = { name: "read", description: "Reads records", annotations: { readOnlyHint: true },
  inputSchema: { type: "object", properties: { bytes: { type: "integer" } }, required: ["bytes"] } };
let made = 0;
const records = (bytes) => {
  made += 1;
  const one = (_, index) => ({ id: (made + "-" + index).padEnd(10, "0"), title });
  return JSON.stringify({ records: Array.from({ length: Math.floor(bytes / 100) }, one) });
};
const answers = {
  initialize: ({ protocolVersion }) =>
    ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "records", version: "1.0.0" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { bytes } }) => ({ content: [{ type: "text", text: records(bytes) }] }),
};
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\n");
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    if (id === undefined) continue;
    const result = answers[method]?.(params ?? {}) ?? {};
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
  }
});
process.stdin.on("end", () => process.exit(0));
`;

export const recordsServer = { command: process.execPath, args: ["-e", source] } as const;
