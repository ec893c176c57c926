/**
 * A server in a few lines of plain JavaScript, so that a process of it starts quickly. Each of its tools misbehaves in
 * one way. `STARTS` names a file that counts its processes; from the second one on `LATER` changes what it says.
 */
const source = String.raw`
const fs = require("node:fs");
const { STARTS, LATER } = process.env;
let start = 1;
if (STARTS) { fs.appendFileSync(STARTS, "x"); start = fs.readFileSync(STARTS).length; }
const later = start > 1 ? LATER : undefined;
if (later === "dead") process.exit(9);
const send = (m) => process.stdout.write(JSON.stringify(m) + "\n");
const answer = (id, result) => send({ result, jsonrpc: "2.0", id });
const text = (t) => ({ content: [{ type: "text", text: t }] });
const names = ["echo", "pid", "crash", "hang", "garbage", "twice", "unknown", "utf8", "half", "huge", "ask", "seen"];
const seen = [];
let asked = 0;
const waiting = new Map();
const tools = names.concat(later === "tools" ? ["more"] : []).map((name) => ({ name, inputSchema: { type: "object" } }));
const calls = {
  echo: (id, a) => answer(id, text(a.text ?? "echo")),
  pid: (id) => answer(id, text(String(process.pid))),
  crash: () => process.exit(3),
  hang: () => {},
  garbage: (id) => { process.stdout.write("Listening on stdio\n\n{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"res\n[1,2]\n\"text\"\nnull\n{\"jsonrpc\":\"2.0\",\"id\":01,\"result\":{}}\n{\"error\":{},\"jsonrpc\":\"2.0\",\"id\":1-2}\n"); answer(id, text("after garbage")); },
  twice: (id) => { answer(id, text("first")); answer(id, text("second")); },
  unknown: (id) => { answer(987654, text("whose?")); answer("nobody", {}); answer(id, text("yours")); },
  utf8: (id) => { process.stdout.write(Buffer.concat([Buffer.from("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a"), Buffer.from([0xff, 0xc3]), Buffer.from("b\"}]},\"jsonrpc\":\"2.0\",\"id\":" + JSON.stringify(id) + "}\n")])); },
  half: (id) => { process.stdout.write("{\"result\":{\"content\":[", () => process.exit(4)); },
  huge: (id, a) => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    let left = a.megabytes;
    process.stdout.write("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"");
    const more = () => {
      if (left-- > 0) process.stdout.write(piece, more);
      else process.stdout.write("\"}]},\"jsonrpc\":\"2.0\",\"id\":" + JSON.stringify(id) + "}\n");
    };
    more();
  },
  ask: (id) => { asked += 1; waiting.set(asked, id); send({ method: "roots/list", jsonrpc: "2.0", id: asked }); },
  seen: (id) => answer(id, text(JSON.stringify(seen))),
};
const handle = (m) => {
  if (m.method === undefined) { const id = waiting.get(m.id); seen.push("answer " + m.id); waiting.delete(m.id); if (id !== undefined) answer(id, text(JSON.stringify(m.result))); return; }
  if (m.method !== "tools/call") seen.push(m.method + (m.params?.level ?? m.params?.uri ?? ""));
  if (m.method === "initialize") { if (later === "mute") return; return answer(m.id, { protocolVersion: "2025-11-25", capabilities: { tools: {}, ...(later === "other" ? { prompts: {} } : {}) }, serverInfo: { name: "scripted", version: "1" } }); }
  if (m.method === "tools/list") return answer(m.id, { tools });
  if (m.method === "tools/call") return calls[m.params.name](m.id, m.params.arguments ?? {});
  if (m.id !== undefined) answer(m.id, {});
};
process.stderr.write("scripted server " + start + "\n");
let rest = "";
process.stdin.on("data", (d) => { rest += d; const lines = rest.split("\n"); rest = lines.pop(); for (const l of lines) if (l) handle(JSON.parse(l)); });
process.stdin.on("end", () => process.exit(0));
`;

export const scriptedServer = { command: process.execPath, args: ["-e", source] } as const;
