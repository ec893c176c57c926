import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedServer } from "../../../engine/transport/scripted-server.fixture.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { listenOverHttp } from "../listen/over-http.ts";
import { ServedSet } from "../served-set.ts";

interface Ready {
  readonly status: number;
  readonly body: {
    readonly status: string;
    readonly upstreams: Readonly<Record<string, { state: string; reason?: string; required: boolean }>>;
  };
}

/** A gateway over HTTP on a free port, without the limits on settings that only options have. */
async function serve(upstreams: GatewayOptions["upstreams"]) {
  const lines: string[] = [];
  const hear =
    (level: string) =>
    (fields: object, event: string): void => {
      const { upstream, reason } = fields as { upstream?: string; reason?: string };
      if (event.startsWith("upstream-")) lines.push([level, event, upstream, reason].join(" ").trim());
    };
  const logger = { info: hear("info"), warn: hear("warn"), error: hear("error") };
  const options: GatewayOptions = { upstreams, http: { port: 0 }, store: "off", logger };
  const served = new ServedSet(options);
  const gateway = await listenOverHttp({
    upstreams,
    http: { port: 0 },
    followed: undefined,
    served,
    serverNote: () => undefined,
  });
  onTestFinished(async () => {
    await gateway.close();
    await served.close();
  });
  const [first = ""] = Object.values(gateway.urls);
  const ready = async (): Promise<Ready> => {
    const response = await fetch(new URL("/readyz", first));
    return { status: response.status, body: (await response.json()) as Ready["body"] };
  };
  const metrics = async (): Promise<string[]> =>
    (await (await fetch(new URL("/metrics", first))).text()).split("\n");
  /** Resolves when `/readyz` says so. */
  const becomes = async (status: string): Promise<Ready> => {
    let last = await ready();
    for (let turn = 0; turn < 400 && last.body.status !== status; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      last = await ready();
    }
    expect(last.body).toMatchObject({ status });
    return last;
  };
  return { url: first, ready, metrics, becomes, lines };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-probe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
};
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function openSession(url: string): Promise<Record<string, string>> {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize) });
  await response.text();
  const session = {
    ...headers,
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  await (await fetch(url, { method: "POST", headers: session, body })).text();
  return session;
}

describe("a gateway in front of a command", () => {
  it("is not ready while the command does not exist, and is when it does", async () => {
    const folder = makeFolder();
    const command = join(folder, "server");
    const { becomes, metrics } = await serve({ own: { command, probe: "50ms" } });
    const { status, body } = await becomes("down");
    expect(status).toBe(503);
    expect(body.upstreams["own"]).toMatchObject({ state: "down", required: true });
    expect(body.upstreams["own"]?.reason).toMatch(/^the server could not be started/);
    expect(JSON.stringify(body)).not.toContain(folder);
    const lines = await metrics();
    expect(lines).toContain('waybill_upstream_up{upstream="own",state="down"} 0');
    expect(lines).toContain("waybill_ready 0");
    const script = scriptedServer.args.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
    writeFileSync(command, `#!/bin/sh\nexec '${scriptedServer.command}' ${script}\n`);
    chmodSync(command, 0o755);
    expect((await becomes("ready")).body.upstreams["own"]).toMatchObject({ state: "idle" });
    expect(await metrics()).toContain('waybill_upstream_up{upstream="own",state="idle"} 1');
  });

  it("says that the folder does not exist, not that the command does not, and names neither", async () => {
    const cwd = join(makeFolder(), "gone");
    const { url, becomes, lines } = await serve({ own: { ...scriptedServer, cwd, probe: "1h" } });
    const says = "the server could not be started: its folder does not exist";
    const { body } = await becomes("down");
    expect(body.upstreams["own"]?.reason).toBe(says);
    await expect.poll(() => lines).toEqual([`warn upstream-down own ${says}`]);
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize) });
    const text = await answer.text();
    expect(text).toContain("its folder does not exist");
    expect(text).not.toContain(cwd);
  });

  it("logs once that a command exits at its probe, with its reason", async () => {
    const starts = join(makeFolder(), "starts");
    const script = `require("node:fs").appendFileSync(${JSON.stringify(starts)}, "x"); process.exit(3)`;
    const command = { command: process.execPath, args: ["-e", script] };
    const { becomes, lines } = await serve({ own: { ...command, probe: "20ms" } });
    await becomes("down");
    await expect.poll(() => readFileSync(starts, "utf8").length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(lines).toEqual(["warn upstream-down own the server stopped (exit code 3)"]);
  });

  it("is not ready while the server never answers its greeting", async () => {
    const silent = { command: process.execPath, args: ["-e", "setInterval(() => undefined, 1000)"] };
    const { ready, becomes } = await serve({ own: { ...silent, startTimeoutMs: 300, probe: "1h" } });
    expect(await ready()).toMatchObject({ status: 503, body: { status: "starting" } });
    expect((await becomes("down")).body.upstreams["own"]?.reason).toMatch(/did not answer within 300 ms/);
  });

  it("starts it once, and is ready while no client uses it; a process is up only with a client", async () => {
    const folder = makeFolder();
    const starts = join(folder, "starts");
    const own = { ...scriptedServer, env: { STARTS: starts }, probe: "50ms", idleMs: 60_000 };
    const { url, becomes, ready } = await serve({ own });
    expect((await becomes("ready")).body.upstreams["own"]).toMatchObject({ state: "idle" });
    const session = await openSession(url);
    expect((await ready()).body.upstreams["own"]).toMatchObject({ state: "up" });
    await (await fetch(url, { method: "DELETE", headers: session })).text();
    expect((await ready()).body.upstreams["own"]).toMatchObject({ state: "idle" });
    expect(readFileSync(starts, "utf8")).toBe("xx");
  });

  it("notices that a running process is stuck, and that it goes on", async () => {
    const { url, becomes } = await serve({ own: { ...scriptedServer, probe: "100ms" } });
    await becomes("ready");
    const session = await openSession(url);
    const body = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "pid", arguments: {} } };
    const called = await fetch(url, { method: "POST", headers: session, body: JSON.stringify(body) });
    const pid = Number(/"text":"(\d+)"/.exec(await called.text())?.[1]);
    onTestFinished(() => {
      try {
        process.kill(pid, "SIGCONT");
      } catch {
        // It has ended with its session.
      }
    });
    process.kill(pid, "SIGSTOP");
    expect((await becomes("down")).body.upstreams["own"]?.reason).toBe("the server does not answer");
    process.kill(pid, "SIGCONT");
    expect((await becomes("ready")).body.upstreams["own"]).toMatchObject({ state: "up" });
  });

  it("does not take a server for stuck that never answers a ping", async () => {
    const script = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
      if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    })`;
    const { url, becomes, ready } = await serve({
      own: { command: process.execPath, args: ["-e", script], probe: "20ms" },
    });
    await becomes("ready");
    await openSession(url);
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect((await ready()).body.upstreams["own"]).toMatchObject({ state: "up" });
    }
  });

  it("of several, is ready without those that are not required", async () => {
    const missing = { command: "no-such-waybill-command", probe: "1h" };
    const one = await serve({ good: { ...scriptedServer, probe: "1h" }, bad: missing });
    await expect
      .poll(async () => (await one.ready()).body, { timeout: 10_000 })
      .toMatchObject({
        status: "ready",
        upstreams: { good: { state: "idle" }, bad: { state: "down", required: false } },
      });
    const other = await serve({ good: scriptedServer, bad: { ...missing, required: true } });
    expect((await other.becomes("down")).status).toBe(503);
  });

  it("in front of a published server is ready", async () => {
    const entry = new URL(
      "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
      import.meta.url,
    );
    const { becomes } = await serve({ own: { command: process.execPath, args: [fileURLToPath(entry)] } });
    expect((await becomes("ready")).body.upstreams["own"]).toMatchObject({ state: "idle", required: true });
  });
});

/** An HTTP server on a free port; `at` takes the port of one that was closed. */
async function listen(answer: RequestListener, at = 0) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/mcp`, close };
}

const json = { "content-type": "application/json" };
const wantsSession = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}';

describe("a gateway in front of a url", () => {
  it("is ready with any answer of MCP, and follows the server when it goes and comes", async () => {
    const answer: RequestListener = (_request, response) => response.writeHead(400, json).end(wantsSession);
    const server = await listen(answer);
    const { becomes, lines } = await serve({ own: { url: server.url, probe: "50ms" } });
    expect((await becomes("ready")).body.upstreams["own"]).toMatchObject({ state: "up" });
    expect(lines).toEqual([]);
    await server.close();
    expect((await becomes("down")).body.upstreams["own"]?.reason).toMatch(
      /could not be reached|closed the connection/,
    );
    // Further probes find the same, and say nothing.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await listen(answer, server.port);
    await becomes("ready");
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toMatch(/^warn upstream-down own The server (?:could not be reached|closed)/);
    expect(lines[1]).toBe("info upstream-up own");
  });

  it.each([
    ["a page is not found", 404, "there is no MCP server at this address"],
    ["a proxy has no server behind it", 502, "answered HTTP 502"],
    ["credentials are refused", 401, "it wants other credentials"],
    ["it is moved", 308, "redirects are not followed"],
  ])("is not ready where %s", async (_what, status, says) => {
    const { url } = await listen((_request, response) =>
      response.writeHead(status, { "content-type": "text/html", location: "http://127.0.0.1/" }).end("<p>"),
    );
    const { becomes } = await serve({ own: { url, probe: "1h" } });
    expect((await becomes("down")).body.upstreams["own"]?.reason).toContain(says);
  });

  it.each([
    ["a page", 404, "text/html"],
    ["a page of a working web server", 200, "text/html"],
    ["a redirect", 308, "text/html"],
    ["a refusal of credentials", 401, "application/json"],
    ["a failure without a message", 500, "text/plain"],
  ])("is not ready after a client got %s", async (_what, status, type) => {
    const { url } = await listen((_request, response) =>
      response.writeHead(status, { "content-type": type, location: "http://127.0.0.1/" }).end("<p>"),
    );
    const { url: gateway, becomes, ready, metrics } = await serve({ own: { url, probe: "1h" } });
    const before = await becomes("down");
    const client = new Client({ name: "c", version: "1" });
    const connected = client.connect(new StreamableHTTPClientTransport(new URL(gateway)));
    expect(await connected.catch((error: unknown) => error)).toBeInstanceOf(Error);
    await (await fetch(gateway, { headers: { accept: "text/event-stream" } })).text();
    expect(await ready()).toEqual(before);
    expect(await metrics()).toContain('waybill_upstream_up{upstream="own",state="down"} 0');
  });

  it("is ready again as soon as a client gets an answer in the words of MCP", async () => {
    let isThere = false;
    const { url } = await listen((_request, response) => {
      if (!isThere) return response.writeHead(404, { "content-type": "text/html" }).end("<p>");
      return response.writeHead(400, json).end(wantsSession);
    });
    const { url: gateway, becomes, ready } = await serve({ own: { url, probe: "1h" } });
    await becomes("down");
    isThere = true;
    await (await fetch(gateway, { method: "POST", headers, body: JSON.stringify(initialize) })).text();
    expect(await ready()).toMatchObject({ status: 200, body: { upstreams: { own: { state: "up" } } } });
  });

  it("stays ready when a client asks for something that is not there", async () => {
    const { url } = await listen((request, response) => {
      if (request.headers["mcp-session-id"] !== undefined)
        return response.writeHead(404, { "content-type": "text/plain" }).end("Session not found");
      return response.writeHead(400, json).end(wantsSession);
    });
    const { url: gateway, becomes, ready } = await serve({ own: { url, probe: "1h" } });
    await becomes("ready");
    const session = { ...headers, "mcp-session-id": "gone" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const { status } = await fetch(gateway, { method: "POST", headers: session, body });
    expect(status).toBe(404);
    expect(await ready()).toMatchObject({ status: 200, body: { upstreams: { own: { state: "up" } } } });
  });

  it("is ready where callers show credentials of their own", async () => {
    const { url } = await listen((_request, response) => response.writeHead(401).end());
    const { becomes } = await serve({ own: { url, auth: "passthrough", probe: "1h" } });
    expect((await becomes("ready")).status).toBe(200);
  });

  it("is ready in front of a server of the 2024 transport, which takes no POST there", async () => {
    const { url } = await listen((request, response) => {
      if (request.method !== "GET") return response.writeHead(404).end("Cannot POST");
      return response.writeHead(200, { "content-type": "text/event-stream" }).write("event: endpoint\n\n");
    });
    const { becomes } = await serve({ own: { url, probe: "1h" } });
    expect((await becomes("ready")).status).toBe(200);
  });

  it("that is signed in to is ready only if the sign-in can be read about", async () => {
    let isPublished = false;
    const server = await listen((request, response) => {
      const { url: path = "/" } = request;
      const origin = `http://127.0.0.1:${server.port}`;
      if (path.startsWith("/mcp")) return response.writeHead(401).end();
      if (!isPublished) return response.writeHead(404).end();
      const metadata = path.includes("oauth-protected-resource")
        ? { resource: `${origin}/mcp`, authorization_servers: [origin] }
        : {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            response_types_supported: ["code"],
          };
      return response.writeHead(200, json).end(JSON.stringify(metadata));
    });
    const auth = { gateway: { tokens: { ada: "0123456789abcdef" } }, oauth: true } as const;
    const { becomes } = await serve({ own: { url: server.url, auth, probe: "50ms" } });
    expect((await becomes("down")).body.upstreams["own"]?.reason).toMatch(/^Callers cannot sign in/);
    isPublished = true;
    await becomes("ready");
  });
});
