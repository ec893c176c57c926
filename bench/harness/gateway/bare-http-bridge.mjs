// The floor of the HTTP part: a POST's body becomes a line for the server's process, its line becomes the response. No
// session, no check, no contract: what client, server, pipe and socket cost by themselves. Plain JavaScript.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [port, command, ...args] = process.argv.slice(2);
const upstream = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
upstream.on("exit", (code) => process.exit(code ?? 0));
const waiting = new Map();
createInterface({ input: upstream.stdout }).on("line", (line) => {
  const { id } = JSON.parse(line);
  waiting.get(id)?.writeHead(200, { "content-type": "application/json" }).end(line);
  waiting.delete(id);
});

const server = createServer((request, response) => {
  if (request.method !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    const body = Buffer.concat(pieces).toString("utf8");
    const { id } = JSON.parse(body);
    if (id === undefined) response.writeHead(202).end();
    else waiting.set(id, response);
    upstream.stdin.write(`${body}\n`);
  });
});
server.listen(Number(port), "127.0.0.1");
