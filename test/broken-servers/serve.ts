// One of these servers as a process: `node --import tsx test/broken-servers/serve.ts [rule]`, and with `--http` on a
// free loopback port, whose URL is then the first line of its output.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { connectServer } from "./connect-server.ts";
import { findServer } from "./find-server.ts";

const [id = "good", mode] = process.argv.slice(2);

function overStdio(): void {
  const connection = connectServer(findServer(id), (line) => void process.stdout.write(`${line}\n`));
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line !== "") connection.receive(line);
  });
  lines.on("close", () => connection.close());
}

/** Without sessions: each request is a connection of its own to one server, and is answered as JSON. */
function overHttp(): void {
  const server = findServer(id);
  const listener = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405, { Allow: "POST" }).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const connection = connectServer(server, (line) => {
        if (!response.headersSent) response.writeHead(200, { "Content-Type": "application/json" }).end(line);
      });
      connection.receive(body);
      response.on("close", () => connection.close());
      if (!/"id"\s*:/.test(body)) response.writeHead(202).end();
    });
    return undefined;
  });
  listener.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp\n`);
  });
}

if (mode === "--http") overHttp();
else overStdio();
