// One of these servers as a process: `node --import tsx test/broken-servers/serve.ts [rule]`, and with `--http` on a
// free loopback port, whose URL is then the first line of its output. `rule` is the rule that it breaks; without it,
// it is the good server. It is started at the root of the repository.

import { createInterface } from "node:readline";
import { connectServer } from "./connect-server.ts";
import { findServer } from "./find-server.ts";
import { overHttp } from "./http-server.ts";

const NEW_LINE = Buffer.from("\n");
const [id = "good", mode] = process.argv.slice(2);

function overStdio(): void {
  const connection = connectServer(findServer(id), {
    write: (line) => void process.stdout.write(Buffer.concat([Buffer.from(line as string), NEW_LINE])),
    die: () => process.exit(1),
  });
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line !== "") connection.receive(line);
  });
  lines.on("close", () => connection.close());
}

if (mode === "--http") {
  const { url } = await overHttp(findServer(id));
  process.stdout.write(`${url}\n`);
} else overStdio();
