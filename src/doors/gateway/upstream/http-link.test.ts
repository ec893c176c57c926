import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { call, connect, good, json, open, stream } from "./http-link.fixture.ts";
import { openHttpUpstream } from "./http-upstream.ts";
import { type Handle, quick, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";

describe("an answer", () => {
  it("that is a JSON body arrives as its bytes", async () => {
    const text = '{"jsonrpc":"2.0",\r\n "id":1,\n "result":{"n":1.0,"big":12345678901234567890}}';
    const { send, first, raw } = await connect((_heard, response) => response.writeHead(200, json).end(text));
    send(call);
    await first();
    expect(raw).toEqual([text]);
  });

  it("that is a stream arrives event by event, with what the server says before it", async () => {
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
    const { send, heard } = await connect((_heard, response) => {
      response.writeHead(200, stream).write(`: hello\n\n${sseOf(progress).slice(0, 30)}`);
      setTimeout(() => response.end(sseOf(progress).slice(30) + sseOf(good)), 5);
    });
    send(call);
    await expect.poll(() => heard, quick).toEqual([progress, good]);
  });

  it("that is a list of messages arrives as its messages", async () => {
    const ping = { jsonrpc: "2.0", id: "s", method: "ping" };
    const { send, heard } = await connect((_heard, response) =>
      response.writeHead(200, json).end(JSON.stringify([ping, good])),
    );
    send(call);
    await expect.poll(() => heard, quick).toEqual([ping, good]);
  });

  it("that is packed although the gateway did not ask for it is unpacked", async () => {
    const { send, first } = await connect((_heard, response) =>
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(good))),
    );
    send(call);
    expect(await first()).toEqual(good);
  });

  it("keeps the text of an id that JavaScript cannot hold", async () => {
    const { link, first, raw } = await connect((_heard, response) => response.writeHead(503).end());
    link.send('{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}');
    await first();
    expect(raw[0]).toContain('"id":12345678901234567890,');
  });

  it("comes once: a second one to the same request goes nowhere", async () => {
    const last = { jsonrpc: "2.0", method: "notifications/message", params: {} };
    const { send, heard } = await connect((_heard, response) =>
      response.writeHead(200, stream).end(sseOf(good) + sseOf(good) + sseOf(last)),
    );
    send(call);
    await expect.poll(() => heard, quick).toEqual([good, last]);
  });
});

describe("a server that gives no answer", () => {
  const refused =
    (status: number, headers: Record<string, string> = {}, body = ""): Handle =>
    (_heard, response) =>
      void response.writeHead(status, headers).end(body);
  const cases: readonly (readonly [string, Handle, RegExp, string])[] = [
    [
      "is wrong about the content type",
      refused(200, { "content-type": "text/html" }, "<p>"),
      /content type text\/html/,
      "unknown",
    ],
    ["accepts a request as if it were none", refused(202), /not a JSON-RPC message/, "unknown"],
    [
      "redirects",
      refused(302, { location: "http://127.0.0.1:1/" }),
      /HTTP 302: redirects are not followed/,
      "no",
    ],
    [
      "wants credentials",
      refused(401, { "www-authenticate": "Bearer" }),
      /HTTP 401: it wants other credentials/,
      "no",
    ],
    ["is busy", refused(503, { "retry-after": "30" }), /HTTP 503, retry after 30 seconds/, "no"],
    ["fails", refused(500, { "content-type": "text/html" }, "<p>"), /HTTP 500/, "unknown"],
    [
      "resets the connection",
      (_heard, response) => void response.destroy(),
      /closed the connection.*ECONNRESET/,
      "unknown",
    ],
    [
      "breaks off a body",
      (_heard, response) => {
        response.writeHead(200, { ...json, "content-length": 500 }).write("{");
        setTimeout(() => response.destroy(), 5);
      },
      /broke off/,
      "unknown",
    ],
    [
      "breaks off an event",
      (_heard, response) => {
        response.writeHead(200, stream).write(sseOf(good).slice(0, 40));
        setTimeout(() => response.destroy(), 5);
      },
      /without the result/,
      "unknown",
    ],
    [
      "ends its stream too early",
      (_heard, response) => void response.writeHead(200, stream).end(": nothing\n\n"),
      /without the result/,
      "unknown",
    ],
    ["sends what is no JSON", refused(200, json, "{oops"), /not a JSON-RPC message/, "unknown"],
    [
      "sends another's answer",
      refused(200, json, '{"jsonrpc":"2.0","id":9,"result":{}}'),
      /not a JSON-RPC message/,
      "unknown",
    ],
    [
      "packs nonsense",
      refused(200, { ...json, "content-encoding": "gzip" }, "no gzip"),
      /broke off/,
      "unknown",
    ],
  ];
  it.each(cases)("%s: the request gets an error", async (_what, handle, words, executed) => {
    const { send, heard, server } = await connect(handle);
    send(call);
    await expect
      .poll(() => heard.find(({ id }) => id === 1), quick)
      .toMatchObject({
        error: { code: -32000, message: expect.stringMatching(words) as string, data: { executed } },
      });
    expect(server.heard).toHaveLength(1);
  });

  it("cannot be reached: says so, shows it in its health, and recovers", async () => {
    const { send, first, upstream, server } = await connect((_heard, response) =>
      response.writeHead(200, json).end("{}"),
    );
    expect(upstream.health().state).toBe("starting");
    await server.close();
    send(call);
    expect((await first()).error).toMatchObject({
      message: "The server could not be reached (ECONNREFUSED)",
      data: { executed: "no" },
    });
    expect(upstream.health()).toMatchObject({ state: "down" });
  });

  it("does not answer the greeting in time: the greeting fails", async () => {
    const { send, first } = await connect(() => undefined, { startTimeoutMs: 30 });
    send({ id: 1, method: "initialize", params: {} });
    expect((await first()).error).toMatchObject({ message: "The server did not answer in time (ETIMEDOUT)" });
  });

  it("refuses with a JSON-RPC error: that is the answer, under the request's id", async () => {
    const error = { code: -32020, message: "Header mismatch" };
    const { send, first } = await connect((_heard, response) =>
      response.writeHead(400, json).end(JSON.stringify({ jsonrpc: "2.0", id: null, error })),
    );
    send(call);
    expect(await first()).toEqual({ jsonrpc: "2.0", id: 1, error });
  });

  it("sends more than may be read: the answer is dropped and named, also inside a packed body", async () => {
    const huge = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(5_000_000) } });
    const bodies: readonly Handle[] = [
      (_heard, response) => void response.writeHead(200, json).end(huge),
      (_heard, response) =>
        void response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(huge)),
      (_heard, response) => void response.writeHead(200, stream).end(`data: ${huge}\n\n`),
    ];
    for (const handle of bodies) {
      const { send, oversized } = await connect(handle, { maxMessageBytes: 100_000 });
      send(call);
      await expect.poll(() => oversized, quick).toMatchObject([{ rawId: "1", isResponse: true }]);
    }
  });
});

describe("a modern request", () => {
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const answer: Handle = ({ json: { id, method } }, response) => {
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    const result = method === "tools/list" ? { tools: [{ name: "add", inputSchema }] } : {};
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };

  it("says its version, method, name and marked arguments in headers too", async () => {
    const { send, heard, server } = await connect(answer);
    send({ id: 1, method: "tools/list", params: { _meta: meta } });
    await expect.poll(() => heard.length, quick).toBe(1);
    for (const region of ["eu", "süd"])
      send({ id: 2, method: "tools/call", params: { name: "add", arguments: { region }, _meta: meta } });
    await expect.poll(() => server.heard.length, quick).toBe(3);
    expect(server.heard[1]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
      "mcp-param-region": "eu",
    });
    const coded = Buffer.from("süd").toString("base64");
    expect(server.heard[2]?.headers["mcp-param-region"]).toBe(`=?base64?${coded}?=`);
  });

  it("is cancelled by closing its stream, and gets no answer", async () => {
    const gone: true[] = [];
    const { send, heard, server } = await connect(({ json: { id } }, response) => {
      if (id === 2) return answer({ json: { id, method: "ping" } } as never, response, {} as never);
      response.writeHead(200, stream).write(": open\n\n");
      return void response.on("close", () => gone.push(true));
    });
    send({ ...call, params: { ...call.params, _meta: meta } });
    await expect.poll(() => server.heard.length, quick).toBe(1);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await expect.poll(() => gone, quick).toEqual([true]);
    send({ id: 2, method: "ping", params: { _meta: meta } });
    await expect.poll(() => heard.map(({ id }) => id), quick).toEqual([2]);
    expect(server.heard).toHaveLength(2);
  });
});

describe("credentials", () => {
  const pong: Handle = (_heard, response) => void response.writeHead(200, json).end(JSON.stringify(good));

  it("of the operator are sent with every request", async () => {
    const { send, first, server } = await connect(pong, { headers: { "X-Api-Key": "k" } });
    send(call);
    await first();
    expect(server.heard[0]?.headers).toMatchObject({ "x-api-key": "k" });
    expect(server.heard[0]?.headers.authorization).toBeUndefined();
  });

  it("in the address are sent as Basic authorization", async () => {
    const { send, first, server } = await connect(pong);
    const { url } = server;
    const upstream = openHttpUpstream("basic", { url: url.replace("//", "//me:p%40ss@") });
    open.push(upstream);
    const link = upstream.connect({ principal: "local" });
    const heard: true[] = [];
    link.listen({ message: () => heard.push(true), oversized: () => undefined, closed: () => undefined });
    link.send(JSON.stringify({ jsonrpc: "2.0", ...call }));
    await expect.poll(() => heard.length, quick).toBe(1);
    expect(server.heard[0]?.headers.authorization).toBe(`Basic ${btoa("me:p@ss")}`);
    send(call);
    await first();
    expect(server.heard[1]?.headers.authorization).toBeUndefined();
  });
});
