/** Servers that would hurt a careless checker, as commands. Plain JavaScript, so that a process starts quickly. */

/** The test that starts it learns which process to look for afterwards. */
const hello = `process.stderr.write("pid " + process.pid + "\\n");`;

const base = String.raw`
const send = (m) => process.stdout.write(JSON.stringify(m) + "\n");
const answer = (id, result) => send({ jsonrpc: "2.0", id, result });
const text = (t) => ({ content: [{ type: "text", text: t }] });
const refuse = (id, code, message) => send({ jsonrpc: "2.0", id, error: { code, message } });
const define = (name, more) => ({
  name, description: "Answers as " + name + ".", inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true }, ...more,
});
let tools = [define("calm")];
let list = (id) => answer(id, { tools });
let call = (id) => answer(id, text("calm"));
const handle = (m) => {
  if (m.id === undefined || m.method === undefined) return;
  if (m.method === "initialize") return answer(m.id, {
    protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "bad", version: "1" },
  });
  if (m.method === "ping") return answer(m.id, {});
  if (m.method === "tools/list") return list(m.id, m.params ?? {});
  if (m.method === "tools/call") {
    if (!tools.some((t) => t.name === m.params.name)) return refuse(m.id, -32602, "Unknown tool: " + m.params.name);
    return call(m.id, m.params.name, m.params.arguments ?? {});
  }
  refuse(m.id, -32601, "Method not found: " + m.method);
};
let rest = "";
const hear = (line) => {
  let m;
  try { m = JSON.parse(line); } catch { return send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }); }
  handle(m);
};
process.stdin.on("data", (d) => { rest += d; const lines = rest.split("\n"); rest = lines.pop(); for (const l of lines) if (l) hear(l); });
process.stdin.on("end", () => process.exit(0));
`;

const sources = {
  /** Never answers, and ends only when it is forced to. */
  hangs: `process.on("SIGTERM", () => {}); process.stdin.resume(); setInterval(() => {}, 1000);`,
  "dies at start": `process.stderr.write("no configuration\\n"); process.exit(7);`,
  "dies in a call": `${base} tools = [define("calm"), define("deadly"), define("calm_too")];
    call = (id, name) => { if (name === "deadly") process.exit(3); answer(id, text("calm")); };`,
  "sends megabytes": `${base} tools = [define("calm"), define("huge")];
    const piece = "x".repeat(1024 * 1024);
    call = (id, name) => answer(id, text(name === "huge" ? piece.repeat(8) : "calm"));`,
  /** The line never ends. */
  "sends without end": `${base} tools = [define("calm"), define("endless")];
    const more = () => { process.stdout.write("x".repeat(65536), more); };
    call = (id, name) => { if (name !== "endless") return answer(id, text("calm")); process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":"'); more(); };`,
  "lists without end": `${base} let n = 0;
    list = (id) => { n += 1; answer(id, { tools: [define("tool_" + n)], nextCursor: "page-" + n }); };
    call = (id) => answer(id, text("calm"));`,
  "lists in a circle": `${base}
    list = (id) => answer(id, { tools: [define("calm")], nextCursor: "again" });`,
  "lists ten thousand tools": `${base} tools = Array.from({ length: 10000 }, (_, i) => define("tool_" + i));`,
  "pages without end": `${base} tools = [define("pages", {
      inputSchema: { type: "object", properties: { cursor: { type: "string" } } } })];
    let n = 0;
    call = (id) => { n += 1; answer(id, text(JSON.stringify({ items: [{ id: n }], nextCursor: "c" + n }))); };`,
  "hangs in a call": `${base} tools = [define("calm"), define("stuck")];
    call = (id, name) => { if (name !== "stuck") answer(id, text("calm")); };`,
  /** Nothing can be read while a call runs, and nothing ends it but force. */
  "spins in a call": `${base} process.on("SIGTERM", () => {}); tools = [define("calm"), define("spin")];
    call = (id, name) => { if (name === "spin") for (;;); answer(id, text("calm")); };`,
  "has recursive schemas": `${base}
    const tree = { type: "object", properties: { child: { $ref: "#" }, name: { type: "string" } } };
    const forced = { type: "object", properties: { child: { $ref: "#" } }, required: ["child"] };
    const self = { $ref: "#" };
    tools = [
      define("tree", { inputSchema: tree, outputSchema: tree }),
      define("forced", { inputSchema: forced }),
      define("self", { inputSchema: { type: "object", properties: { a: self, b: { $ref: "#/properties/b" } }, required: ["b"] } }),
    ];
    call = (id) => answer(id, { ...text('{"name":"root"}'), structuredContent: { name: "root" } });`,
  "has a schema elsewhere": `${base}
    const ref = { $ref: process.env.SCHEMA_URL };
    tools = [
      define("calm"),
      define("elsewhere", { inputSchema: { type: "object", properties: { a: ref } }, outputSchema: { type: "object", properties: { b: ref } } }),
    ];
    call = (id) => answer(id, { ...text('{"b":1}'), structuredContent: { b: 1 } });`,
  "has a catastrophic pattern": `${base}
    const pattern = { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" };
    const long = "a".repeat(60);
    tools = [
      define("calm"),
      define("slow_pattern", {
        inputSchema: { type: "object", properties: { a: { ...pattern, examples: [long] } }, required: ["a"] },
      }),
      define("slow_output", { outputSchema: { type: "object", properties: { a: pattern } } }),
    ];
    call = (id, name) => answer(id, name === "calm" ? text("calm") : { ...text(JSON.stringify({ a: long })), structuredContent: { a: long } });`,
  "has absurd schemas": `${base}
    let deep = { type: "string" };
    for (let i = 0; i < 900; i += 1) deep = { type: "object", properties: { a: deep }, required: ["a"] };
    tools = [
      define("deep", { inputSchema: deep }),
      define("wide", { inputSchema: { type: "object", required: ["a"], properties: { a: { type: "array", minItems: 1e9, items: { type: "string", minLength: 1e9 } } } } }),
      define("never", { inputSchema: { type: "object", required: ["a"], properties: { a: { not: {} } } } }),
      define("nonsense", { inputSchema: { type: "object", properties: { a: { type: "strin", pattern: "(" } }, required: "a" } }),
      define("__proto__", { inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}') }),
    ];`,
  "nests without end": `${base} tools = [define("calm"), define("nested")];
    call = (id, name) => { if (name === "calm") return answer(id, text("calm")); process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":' + '{"a":'.repeat(20000) + "1" + "}".repeat(20000) + "}}\\n"); };`,
  "talks on stdout": `process.stdout.write("Server is starting\\n"); ${base}
    call = (id) => { process.stdout.write("calling\\n"); answer(id, text("calm")); };`,
  "sends bytes that are no text": `${base}
    call = (id) => process.stdout.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[{"type":"text","text":"a'), Buffer.from([0xff, 0xc3]), Buffer.from('"}]}}\\n')]));`,
} as const;

export type BadServer = keyof typeof sources;

/** A server that behaves badly in one way, as a command. */
export function badServer(
  name: BadServer,
  env: Readonly<Record<string, string>> = {},
): { command: string; args: readonly string[]; env: Readonly<Record<string, string>> } {
  return { command: process.execPath, args: ["-e", `${hello}${sources[name]}`], env };
}
