// The gateway in front of the fixture server: `node --import tsx test/conformance/serve-gateway.ts url|command`.
// Prints its address as the first line, and ends when its input does.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UpstreamOptions } from "../../src/doors/gateway/gateway-options.ts";

const node = ["--import", "tsx"];
let fixture: ChildProcess | undefined;

/** The fixture server over HTTP, which ends with its standard input. */
async function startFixture(): Promise<string> {
  const started = spawn(process.execPath, [...node, "test/conformance/serve.ts", "plain"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  fixture = started;
  const [line] = (await once(started.stdout, "data")) as [Buffer];
  return line.toString().trim();
}

const upstream: UpstreamOptions =
  process.argv[2] === "command"
    ? { command: process.execPath, args: [...node, "test/conformance/serve-stdio.ts"] }
    : { url: await startFixture() };
const gateway = createGateway({ upstreams: { fixture: upstream }, http: { port: 0 }, store: "memory" });
const { urls } = await gateway.listen();
process.stdout.write(`${urls["fixture"]}\n`);

async function end(): Promise<void> {
  await gateway.close();
  fixture?.stdin?.end();
  process.exit(0);
}

// The process that started this one holds the other end; without it nothing would stop this one.
process.stdin.resume().on("end", () => void end());
