// The gateway in front of the fixture server: `node --import tsx test/conformance/serve-gateway.ts url|command`.
// Prints its address as the first line, and ends when its input does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createState } from "../../src/engine/contract-state.ts";
import { listenToScope } from "../../src/engine/run-call.ts";
import { commandHandler } from "../../src/gateway/listen/command-handler.ts";
import { createHttpListener } from "../../src/gateway/listen/http-listener.ts";
import type { HandleRequest } from "../../src/gateway/listen/http-parts.ts";
import { proxyHandler } from "../../src/gateway/listen/proxy-http.ts";
import { childUpstream } from "../../src/gateway/upstream/child-upstream.ts";
import type { UpstreamHealth } from "../../src/gateway/upstream/upstream.ts";

interface Served {
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
  readonly close: () => Promise<void>;
}

listenToScope();
const state = createState({ dialect: "auto", profile: "minimal", budget: { tokens: 8_000 } });
const node = ["--import", "tsx"];

function serveCommand(): Served {
  const args = [...node, "test/conformance/serve-stdio.ts"];
  const upstream = childUpstream("fixture", { command: process.execPath, args });
  const handler = commandHandler({ state, upstream });
  const close = async (): Promise<void> => {
    await handler.close();
    await upstream.close();
  };
  return { ...handler, close };
}

async function serveUrl(): Promise<Served> {
  const fixture = spawn(process.execPath, [...node, "test/conformance/serve.ts", "plain"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(fixture.stdout, "data")) as [Buffer];
  const handler = proxyHandler(state, { url: line.toString().trim() });
  const close = async (): Promise<void> => {
    handler.close();
    fixture.stdin.end();
    await once(fixture, "exit");
  };
  return { ...handler, close };
}

const { handle, health, close } = process.argv[2] === "command" ? serveCommand() : await serveUrl();
const served = new Map([
  [
    "fixture",
    {
      handle,
      health,
      authenticate: (headers: Readonly<Record<string, string>>) => ({
        kind: "ok" as const,
        principal: "anybody",
        authInfo: undefined,
        headers,
      }),
    },
  ],
]);
const listener = createHttpListener({ port: 0, upstreams: () => served });
const { urls } = await listener.listen();
process.stdout.write(`${urls["fixture"]}\n`);

// Whoever started this process holds the other end; without them nobody would stop it.
process.stdin.resume().on("end", () => {
  void close()
    .then(() => listener.close())
    .then(() => process.exit(0));
});
