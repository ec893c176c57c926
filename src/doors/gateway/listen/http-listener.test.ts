import { connect as connectSocket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type FixtureOptions, memoryUpstream, openGateway } from "../bridge/http-gateway.fixture.ts";
import { greeting, messagesIn, modern, send } from "../bridge/raw-http.fixture.ts";

const opened: (() => Promise<void>)[] = [];

/** A server that answers everything with an empty result. */
async function open(options: FixtureOptions = {}) {
  const upstream = memoryUpstream((end) => {
    end.listen({
      message: (bytes) => {
        const { id } = JSON.parse(bytes.toString()) as { id?: number };
        if (id !== undefined)
          end.send(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete" } }));
      },
      oversized: () => undefined,
      closed: () => undefined,
    });
  });
  const gateway = await openGateway(upstream, options);
  opened.push(gateway.close);
  return { ...gateway, upstream };
}

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const ask = modern("custom/ask");

describe("createHttpListener", () => {
  it("serves each upstream at its path, the only one at /mcp too, and nothing elsewhere", async () => {
    const { url } = await open();
    expect(url.pathname).toBe("/memory/mcp");
    expect((await send(url, ask)).status).toBe(200);
    expect((await send(url, { ...ask, path: "/memory/mcp?x=1" })).status).toBe(200);
    for (const path of ["/mcp", "/mcp/"]) expect((await send(url, { ...ask, path })).status).toBe(200);
    for (const path of ["/", "/other/mcp", "/memory", "/memory/mcp/more", "/%ff/mcp"])
      expect(await send(url, { ...ask, path })).toMatchObject({ status: 404 });
    const { body } = await send(url, { ...ask, path: "/other/mcp" });
    expect(JSON.parse(body)).toMatchObject({
      error: { code: -32000, message: "Not Found: no upstream has this path. There are: /memory/mcp" },
    });
  });

  it("says that it lives and whether it can serve, to any caller", async () => {
    const { url, listener } = await open();
    const headers = { host: "10.0.0.7:3333" };
    expect(await send(url, { method: "GET", path: "/healthz", headers })).toMatchObject({ status: 200 });
    const ready = await send(url, { method: "GET", path: "/readyz", headers });
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.body)).toEqual({
      status: "ready",
      upstreams: { memory: { state: "idle", restarts: 0, required: false } },
    });
    expect((await send(url, { method: "POST", path: "/readyz", headers })).status).toBe(405);
    listener.drain();
    expect(await send(url, { method: "GET", path: "/readyz", headers })).toMatchObject({ status: 503 });
  });

  it("serves pages beside the upstreams, behind the same check of Host", async () => {
    const pages = new Map([
      [
        "/metrics",
        async (_request: unknown, response: { end(text: string): void }) => response.end("up 1\n"),
      ],
    ]);
    const { url } = await open({ http: { pages } });
    expect(await send(url, { method: "GET", path: "/metrics" })).toMatchObject({
      status: 200,
      body: "up 1\n",
    });
    expect(
      (await send(url, { method: "GET", path: "/metrics", headers: { host: "evil.example" } })).status,
    ).toBe(403);
  });

  it("serves pages by any address, as Prometheus asks for them, but no web page and no upstream so", async () => {
    const pages = new Map([
      [
        "/metrics",
        async (_request: unknown, response: { end(text: string): void }) => response.end("up 1\n"),
      ],
    ]);
    const { url } = await open({ http: { pages, allowedHosts: ["gateway.internal"] } });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await send(url, { method: "GET", path: "/metrics", headers })).status;
    expect(await status({ host: "10.1.2.3:3333" })).toBe(200);
    expect(await status({ host: "[fd00::7]:3333" })).toBe(200);
    expect(await status({ host: "10.1.2.3.evil.example" })).toBe(403);
    expect(await status({ host: "10.1.2.3", origin: "https://evil.example" })).toBe(403);
    const asked = await send(url, { ...ask, headers: { ...ask.headers, host: "10.1.2.3:3333" } });
    expect(asked.status).toBe(403);
  });

  it("answers 500 where a page fails, and goes on", async () => {
    const pages = new Map([
      [
        "/metrics",
        () => {
          throw new Error("broken");
        },
      ],
    ]);
    const { url } = await open({ http: { pages } });
    expect(await send(url, { method: "GET", path: "/metrics" })).toMatchObject({ status: 500 });
    expect((await send(url, ask)).status).toBe(200);
  });

  it("opens no session for a greeting without an id", async () => {
    const { url, upstream } = await open();
    const { id: _id, ...notification } = greeting;
    expect(await send(url, { body: JSON.stringify(notification) })).toMatchObject({ status: 400 });
    expect(upstream.ends).toEqual([]);
  });

  it("answers only pages that are allowed, and lets their browser read the answer", async () => {
    const { url } = await open({ http: { allowedOrigins: ["https://app.example"] } });
    const origin = "https://app.example";
    const asked = await send(url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-param-x",
      },
    });
    expect(asked).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "mcp-param-x" },
    });
    const answer = await send(url, { ...ask, headers: { ...ask.headers, origin } });
    expect(answer).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin } });
    for (const other of ["http://localhost:5173", "https://app.example.evil", "http://app.example"])
      expect((await send(url, { ...ask, headers: { ...ask.headers, origin: other } })).status).toBe(403);
  });

  it("takes an origin as people write it, and the schemes of editors and extensions", async () => {
    const allowedOrigins = ["https://App.example/", "vscode-webview://one", "chrome-extension://*"];
    const { url } = await open({ http: { allowedOrigins } });
    const from = async (origin: string) =>
      (await send(url, { ...ask, headers: { ...ask.headers, origin } })).status;
    expect(await from("https://app.example")).toBe(200);
    expect(await from("vscode-webview://one")).toBe(200);
    expect(await from("vscode-webview://two")).toBe(403);
    expect(await from("chrome-extension://abc")).toBe(200);
    expect(await from("null")).toBe(403);
  });

  it("takes further host names only where they are given", async () => {
    const { url } = await open({ http: { allowedHosts: ["gateway.internal"] } });
    const as = (host: string) => send(url, { ...ask, headers: { ...ask.headers, host } });
    expect((await as("gateway.internal:8080")).status).toBe(200);
    expect((await as("localhost:1")).status).toBe(200);
    expect((await as("other.internal")).status).toBe(403);
    expect((await as("gateway.internal@evil.example")).status).toBe(403);
  });

  it("asks for a token before it reads a body", async () => {
    const { url, upstream } = await open({
      authenticate: async ({ authorization, ...headers }) =>
        authorization === "Bearer good"
          ? { kind: "ok", principal: "ann", authInfo: undefined, headers }
          : {
              kind: "refused",
              status: 401,
              wwwAuthenticate: 'Bearer realm="waybill"',
              message: "A token, please.",
              reason: "no-token",
            },
    });
    const refused = await send(url, ask);
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer realm="waybill"' } });
    expect(upstream.ends).toEqual([]);
    const headers = { ...ask.headers, authorization: "Bearer good" };
    expect((await send(url, { ...ask, headers })).status).toBe(200);
  });

  it("reads no body that is too long, whether it says so or not", async () => {
    const { url } = await open({ command: { maxBodyBytes: 1_000 } });
    const long = `{"a":"${"x".repeat(2_000)}"}`;
    expect(await send(url, { ...ask, body: long })).toMatchObject({
      status: 413,
      headers: { connection: "close" },
    });
    const chunked = { ...ask.headers, "transfer-encoding": "chunked" };
    expect((await send(url, { headers: chunked, body: long })).status).toBe(413);
    const huge = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "x".repeat(8e6),
    });
    expect(huge.status).toBe(413);
    await huge.text();
    expect((await send(url, ask)).status).toBe(200);
  });

  it("survives clients that send no HTTP, half a request, or leave at once", async () => {
    const { url } = await open();
    const talk = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connectSocket(Number(url.port), "127.0.0.1", () => socket.write(text));
        let said = "";
        socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
        socket.on("error", () => resolve(said));
        socket.on("close", () => resolve(said));
        setTimeout(() => socket.destroy(), 50);
      });
    expect(await talk("hello\r\n\r\n")).toContain("400 Bad Request");
    await talk(
      "POST /memory/mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
    );
    await talk(`POST /memory/mcp HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(40_000)}\r\n\r\n`);
    expect(messagesIn(await send(url, ask))).toMatchObject([{ id: 1, result: {} }]);
  });

  it("keeps raw ids of requests, and answers the same bytes that the server sent", async () => {
    const { url } = await open();
    const { headers, body } = modern("custom/ask", { big: 1 }, "ID");
    const answer = await send(url, { headers, body: body.replace('"ID"', "12345678901234567") });
    expect(answer.body).toBe('{"jsonrpc":"2.0","id":12345678901234567,"result":{"resultType":"complete"}}');
  });
});
