import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { until } from "../../src/engine/transport/until.fixture.ts";
import { serve } from "../../src/doors/server/serve.ts";
import { linesServer } from "./dashboard.fixture.ts";

const ping = defineTool("ping", { description: "Answers", inputSchema: z.object({}) }, () => ({ ok: true }));

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Each of our HTTP servers: the address of the gateway, of its dashboard, and of a server of one's own. */
async function openDoors(): Promise<readonly URL[]> {
  const gateway = createGateway({
    upstreams: { lines: { command: process.execPath, args: [linesServer] } },
    http: { port: 0 },
    dashboard: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  ends.push(() => gateway.close());
  const { urls, dashboard = "" } = await gateway.listen();
  const own = await serve({
    name: "own",
    version: "1",
    tools: [ping],
    config: false,
    logLevel: "silent",
    http: 0,
  });
  ends.push(() => own.close());
  return [urls["lines"] ?? "", dashboard, own.url ?? ""].map((url) => new URL(url));
}

/** Sends what it is given and never closes its side. Gives what it heard. */
function say({ port }: URL, text: string): () => string {
  const said: string[] = [];
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => said.push(chunk.toString()));
  socket.write(text);
  ends.push(() => socket.destroy());
  return () => said.join("");
}

/** Sockets of this process: of clients and of servers. */
const sockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

describe("the gateway, its dashboard and a server of one's own", () => {
  it("refuse a request with two Host headers", async () => {
    for (const url of await openDoors()) {
      const request = `GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nhost: ${url.host}\r\n\r\n`;
      const said = say(url, request);
      await until(() => said() !== "");
      expect(said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*one Host header/);
    }
  });

  it("let go of a client that they refused, although it keeps its side open", async () => {
    const doors = await openDoors();
    const others = sockets();
    const heard = doors.map((url) => say(url, "this is no request\r\n\r\n"));
    await until(() => heard.every((said) => said() !== ""));
    for (const said of heard) expect(said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close/i);
    // Only their own ends are left.
    await vi.waitFor(() => expect(sockets()).toBeLessThanOrEqual(others + doors.length), {
      timeout: 20_000,
      interval: 20,
    });
  });
});
