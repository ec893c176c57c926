// The server behind the gateway: it writes one large result for each name, once, so that only sending it is left to a
// measured call. On stdio, or over HTTP where it is started with `--http`: it then prints its address.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const words = "winter quota granite lantern copper sail harbour ledger ";
const fields = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, at]));
const row = (at) => ({ id: `rec_${at}`, name: "Harbour ledger", note: words, at });
const rows = (bytes) => Array.from({ length: Math.ceil(bytes / 118) }, (_, at) => row(at));
const prose = (bytes) => `${words.trim()}.\n`.repeat(Math.ceil(bytes / 57)).slice(0, bytes);
const tree = (leaves) => (leaves <= 1 ? { leaf: true } : { left: tree(leaves / 2), right: tree(leaves / 2) });
const text = (said) => ({ content: [{ type: "text", text: said }] });
const structure = (json) => ({ ...text(JSON.stringify(json)), structuredContent: json });

/** A result of every shape for a size: a number of keys, leaves or bytes. */
const shapes = {
  keys: (size) => text(JSON.stringify(fields(size))),
  structure: (size) => structure(fields(size)),
  rows: (size) => text(JSON.stringify(rows(size))),
  failure: (size) => ({ ...text(prose(size)), isError: true }),
  tree: (size) => text(JSON.stringify(tree(size))),
  prose: (size) => text(prose(size)),
};

const made = new Map();
function resultOf({ shape, size }) {
  const key = `${shape} ${size}`;
  if (!made.has(key)) made.set(key, JSON.stringify(shapes[shape](size)));
  return made.get(key);
}

const properties = { shape: { type: "string" }, size: { type: "number" } };
const listed = ["prepare", "send", "chatter"].map((name) => ({
  name,
  inputSchema: { type: "object", properties },
}));
const answers = {
  initialize: () =>
    JSON.stringify({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "large", version: "1.0.0" },
    }),
  "tools/list": () => JSON.stringify({ tools: listed }),
  "tools/call": ({ name, arguments: asked }) =>
    name === "send" ? resultOf(asked) : JSON.stringify(text(`${resultOf(asked).length} characters`)),
};

/** Progress of `size` characters, time and again, for each call with a token; the call itself ends after a minute. */
function chatter({ arguments: { size }, _meta }, isOver) {
  const params = { progressToken: _meta?.progressToken, progress: 1, message: "x".repeat(size) };
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })}\n`;
  const timer = setInterval(() => process.stdout.writableNeedDrain || process.stdout.write(line), 200);
  setTimeout(() => {
    clearInterval(timer);
    isOver();
  }, 60_000).unref();
}

/** The answer to a message; undefined for one that wants none. */
function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return undefined;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answers[method]?.(params) ?? "{}"}}`;
}

if (process.argv.includes("--http")) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += bytes));
    request.on("end", () => {
      const said = request.method === "POST" ? answer(body) : undefined;
      if (request.method !== "POST") response.writeHead(405).end();
      else if (said === undefined) response.writeHead(202).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(said);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
} else {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, params } = JSON.parse(line);
    const end = () => process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`);
    if (params?.name === "chatter") return chatter(params, end);
    const said = answer(line);
    if (said !== undefined) process.stdout.write(`${said}\n`);
    return undefined;
  });
}
