/**
 * Servers in a few lines that write down every line that they read, each by the rules of another reader of lines. `LOG`
 * names the file. A call of `secret_write` that gets past the gateway is found there.
 */
const answering = String.raw`
const fs = require("node:fs");
const names = ["read", "secret_write"];
const text = (t) => ({ content: [{ type: "text", text: t }] });
const resultOf = ({ method, params }) => {
  if (method === "initialize") return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "recording", version: "1" } };
  if (method === "tools/list") return { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) };
  if (method === "tools/call") return text(params.name + " " + params.arguments?.mark);
  return {};
};
const take = (line) => {
  if (line === "") return;
  fs.appendFileSync(process.env.LOG, JSON.stringify(line) + "\n");
  let m;
  try { m = JSON.parse(line); } catch { return; }
  if (m.method === undefined || m.id === undefined) return;
  const isKnown = m.method !== "tools/call" || names.includes(m.params.name);
  const said = isKnown ? { result: resultOf(m) } : { error: { code: -32602, message: "Unknown tool" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, ...said }) + "\n");
};
`;

const byFeed = `${answering}
let rest = "";
process.stdin.setEncoding("utf8").on("data", (d) => { const lines = (rest + d).split("\\n"); rest = lines.pop(); lines.forEach(take); });
`;

/** Stops at carriage returns, and at U+2028 and U+2029. */
const byReadline = `${answering}
require("node:readline").createInterface({ input: process.stdin }).on("line", take);
`;

/** Universal newlines, and then \`splitlines\`, which stops at U+0085 as well. */
const byPython = String.raw`
import json, os, sys
names = ["read", "secret_write"]
def result_of(m):
    p = m.get("params") or {}
    if m["method"] == "initialize":
        return {"protocolVersion": p["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "recording", "version": "1"}}
    if m["method"] == "tools/list":
        return {"tools": [{"name": n, "inputSchema": {"type": "object"}} for n in names]}
    if m["method"] == "tools/call":
        return {"content": [{"type": "text", "text": p["name"] + " " + str((p.get("arguments") or {}).get("mark"))}]}
    return {}
with open(os.environ["LOG"], "a", encoding="utf-8") as log:
    for read in sys.stdin:
        for line in read.splitlines():
            if line == "":
                continue
            log.write(json.dumps(line) + "\n")
            log.flush()
            try:
                m = json.loads(line)
            except ValueError:
                continue
            if isinstance(m, dict) and "method" in m and "id" in m:
                is_known = m["method"] != "tools/call" or m["params"]["name"] in names
                said = {"result": result_of(m)} if is_known else {"error": {"code": -32602, "message": "Unknown tool"}}
                sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": m["id"], **said}) + "\n")
                sys.stdout.flush()
`;

export const recordingChildren = {
  "line feeds": { command: process.execPath, args: ["-e", byFeed] },
  "node:readline": { command: process.execPath, args: ["-e", byReadline] },
  python3: { command: "python3", args: ["-X", "utf8", "-u", "-c", byPython] },
} as const;
