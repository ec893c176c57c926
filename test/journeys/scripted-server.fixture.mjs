// A server whose every byte is written here: as a program on stdin and stdout, which notes what it hears in a file, and
// as the part behind an HTTP server.

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const tools = ["read", "long", "fail", "progress", "log", "never", "huge"].map(
  (name) => `{"name":"${name}","inputSchema":{"type":"object"}}`,
);
const records = Array.from({ length: 60 }, (_, at) => ({
  id: at,
  name: `record ${at}`,
  note: "x".repeat(40),
}));

/** Results as they are written: with spaces, and with numbers that JavaScript would write differently. */
const results = {
  initialize:
    '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}',
  "server/discover":
    '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"},"ttlMs":0,"cacheScope":"private"}',
  "tools/list": `{"tools":[${tools.join(",")}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`,
  read: '{ "content":[{"type":"text","text":"caf\\u00e9 ☕"}],"_meta":{"big":12345678901234567890,"one":1.0}}',
  long: JSON.stringify({ content: [{ type: "text", text: JSON.stringify({ records }) }] }),
  fail: '{"content":[{"type":"text","text":"No such file"}],"isError":true}',
  progress: '{"content":[{"type":"text","text":"done"}]}',
  log: '{"content":[{"type":"text","text":"logged"}]}',
  huge: JSON.stringify({ content: [{ type: "text", text: "y".repeat(70_000) }] }),
};

const part = (line, name) => new RegExp(`"${name}":("[^"]*"|[^,}\\s]+)`).exec(line)?.[1];

/** The messages that one message is answered with; undefined if the answer never comes. */
export function answersTo(line) {
  const { method, params = {} } = JSON.parse(line);
  const id = part(line, "id");
  if (id === undefined) return [];
  const answer = (outcome) => `{"jsonrpc":"2.0","id":${id},${outcome}}`;
  const called = method === "tools/call" ? params.name : method;
  if (called === "never") return undefined;
  if (results[called] === undefined) return [answer('"error":{"code":-32601,"message":"Method not found"}')];
  const said = [answer(`"result":${results[called]}`)];
  const token = part(line, "progressToken");
  if (called === "progress")
    said.unshift(
      ...[1, 2].map(
        (at) =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${at}}}`,
      ),
    );
  if (called === "log")
    said.unshift('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}');
  return said;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , heard] = process.argv;
  createInterface({ input: process.stdin }).on("line", (line) => {
    appendFileSync(heard, `${line}\n`);
    for (const said of answersTo(line) ?? []) process.stdout.write(`${said}\n`);
  });
}
