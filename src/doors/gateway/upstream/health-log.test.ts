import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Log } from "../../../engine/observe/log-event.ts";
import { openGateway } from "../create-gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { healthLog } from "./health-log.ts";
import type { UpstreamHealth } from "./upstream.ts";

function record() {
  const lines: object[] = [];
  const note =
    (level: string) =>
    (event: string, fields: object = {}): void =>
      void lines.push({ level, event, ...fields });
  const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  return { lines, log };
}

const down = (reason: string, retryInMs?: number): UpstreamHealth => ({
  state: "down",
  reason,
  restarts: 0,
  retryInMs,
});
const up: UpstreamHealth = { state: "up", restarts: 0 };

describe("healthLog", () => {
  it("writes a line when a server is down and one when it is back, however often it hears of it", () => {
    const { lines, log } = record();
    const tell = healthLog(log, "web");
    for (const each of [up, down("it is gone"), down("it is still gone"), up, up]) tell(each);
    expect(lines).toEqual([
      { level: "warn", event: "upstream-down", upstream: "web", reason: "it is gone" },
      { level: "info", event: "upstream-up", upstream: "web" },
    ]);
  });

  it("says nothing of a server that starts, or is started again soon", () => {
    const { lines, log } = record();
    const tell = healthLog(log, "web");
    for (const each of [{ state: "starting", restarts: 0 } as const, down("it stopped", 500), up]) tell(each);
    expect(lines).toEqual([]);
  });
});

/** A web server on a free port that knows no address. */
async function pageServer(): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end("<p>"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe("several servers on stdio", () => {
  it("have a line each if they cannot be reached or started", async () => {
    const heard = new Map<unknown, unknown>();
    const hear = (fields: object, event: string): void => {
      const { upstream, reason } = fields as { upstream?: string; reason?: string };
      if (event === "upstream-down") heard.set(upstream, reason);
    };
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const upstreams: GatewayOptions["upstreams"] = {
      gone: { url: `http://127.0.0.1:${port}/mcp` },
      page: { url: await pageServer() },
      ends: { command: process.execPath, args: ["-e", "process.exit(3)"] },
      none: { command: "no-such-waybill-command" },
    };
    const logger = { info: hear, warn: hear, error: hear };
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    stdout.resume();
    const gateway = openGateway(
      { upstreams, store: "off", logger },
      { stdin, stdout, serverNote: () => undefined },
    );
    onTestFinished(() => gateway.close());
    await gateway.listen();
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await expect.poll(() => heard.size, { timeout: 20_000 }).toBe(4);
    expect(Object.fromEntries(heard)).toMatchObject({
      gone: expect.stringContaining("could not be reached") as string,
      page: expect.stringContaining("there is no MCP server at this address") as string,
      ends: "the server stopped (exit code 3)",
      none: expect.stringContaining("could not be started") as string,
    });
  });
});
