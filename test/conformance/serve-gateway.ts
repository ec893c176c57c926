// The gateway in front of the fixture server: `node --import tsx test/conformance/serve-gateway.ts url|command|merged`.
// "merged" is the command behind `/mcp`, with a second server beside it that has tools of the same names.
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

const [, , way = "url"] = process.argv;
const command: UpstreamOptions = {
  command: process.execPath,
  args: [...node, "test/conformance/serve-stdio.ts"],
};
const beside: UpstreamOptions = {
  command: process.execPath,
  args: [...node, "test/conformance/serve-beside.ts"],
};
const upstreams =
  way === "merged"
    ? { fixture: command, beside }
    : { fixture: way === "url" ? { url: await startFixture() } : command };
const gateway = createGateway({ upstreams, http: { port: 0 }, store: "memory" });
const { urls, merged } = await gateway.listen();
process.stdout.write(`${merged ?? urls["fixture"]}\n`);

async function end(): Promise<void> {
  await gateway.close();
  fixture?.stdin?.end();
  process.exit(0);
}

// The process that started this one holds the other end; without it nothing would stop this one.
process.stdin.resume().on("end", () => void end());
