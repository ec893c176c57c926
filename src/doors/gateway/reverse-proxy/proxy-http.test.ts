import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { listen, stopListening } from "../../../engine/observe/open-telemetry.fixture.ts";
import { type Handle, serveRaw, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import {
  answer,
  ask,
  call,
  json,
  later,
  long,
  open,
  said,
  serveProxy,
  stream,
  tools,
} from "./proxy-http.fixture.ts";

function resultIn(text: string): JsonObject {
  const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
  return (JSON.parse(data) as { result: JsonObject }).result;
}

/** What the contract says of a failed call. */
function failureIn(text: string): JsonObject {
  const { structuredContent, content } = resultIn(text) as {
    structuredContent?: JsonObject;
    content: { text: string }[];
  };
  const envelope = structuredContent ?? (JSON.parse(content.at(-1)?.text ?? "{}") as JsonObject);
  return envelope["data"] as JsonObject;
}

describe("the proxy", () => {
  it("lets what it has nothing to do with pass as it is: headers, status, body, id", async () => {
    const body = '{ "jsonrpc":"2.0", "id":12345678901234567890, "result": {"n": 1.0} }';
    const { url, server } = await open((_heard, response) =>
      response.writeHead(200, { ...json, "x-trace": "t1", "set-cookie": ["a=1", "b=2"] }).end(body),
    );
    const sent =
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"resources/read","params":{"uri":"x:y"}}';
    const headers = { "mcp-param-region": "eu", "x-own": "1", "mcp-protocol-version": "2025-11-25" };
    const got = await ask(url, { body: sent, headers }).answer;
    expect(got).toMatchObject({
      status: 200,
      text: body,
      headers: { "x-trace": "t1", "set-cookie": ["a=1", "b=2"] },
    });
    expect(server.heard[0]).toMatchObject({ method: "POST", body: sent, headers });
    expect(server.heard[0]?.headers.host).toBe(new URL(server.url).host);
  });

  it("puts a large result under the contract, also on a stream, where all other events keep their bytes", async () => {
    const progress =
      ': hello\n\nid: 1\ndata:{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0}}\r\n\r\n';
    const { url } = await open(({ json: { id } }, response) =>
      response.writeHead(200, stream).end(progress + sseOf({ jsonrpc: "2.0", id, result: said(long) }, "2")),
    );
    const { text } = await ask(url, { body: call }).answer;
    expect(text.startsWith(progress)).toBe(true);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain("CONTENT_TRUNCATED");
    expect(text.slice(progress.length)).toMatch(
      /^event: message\nid: 2\ndata: \{"jsonrpc":"2.0","id":1,"result":/,
    );
  });

  it("unpacks what was packed unasked", async () => {
    const { url } = await open(({ json: { id } }, response) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id, result: said("small") });
      response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(body));
    });
    const { text, headers } = await ask(url, { body: call, headers: { "accept-encoding": "gzip" } }).answer;
    expect(headers["content-encoding"]).toBeUndefined();
    expect(text).toContain("small");
  });

  it("asks for the tools it does not know with the caller's own credentials, once for each caller", async () => {
    const { url, server } = await open(answer(said("x")), { auth: "passthrough" });
    for (const token of ["a", "a", "b"])
      await ask(url, { body: call, headers: { authorization: `Bearer ${token}` } }).answer;
    const asked = server.heard.map(({ body, headers }) => [
      (JSON.parse(body) as { method: string }).method,
      headers.authorization,
    ]);
    expect(asked).toEqual([
      ["tools/list", "Bearer a"],
      ["tools/call", "Bearer a"],
      ["tools/call", "Bearer a"],
      ["tools/list", "Bearer b"],
      ["tools/call", "Bearer b"],
    ]);
  });

  it("asks again for the tools when the server could not be asked", async () => {
    let isAway = true;
    const server = await serveRaw(({ json: { id, method } }, response) => {
      if (isAway) return void response.writeHead(503).end();
      const result = method === "tools/list" ? { tools } : said("x");
      return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url });
    await ask(url, { body: call }).answer;
    isAway = false;
    await ask(url, { body: call }).answer;
    await ask(url, { body: call }).answer;
    const methods = server.heard.map(({ body }) => (JSON.parse(body) as { method: string }).method);
    expect(methods).toEqual(["tools/list", "tools/call", "tools/list", "tools/call", "tools/call"]);
  });

  it("shows and calls no tool that the operator hides", async () => {
    const server = await serveRaw(({ json: { id, method, params }, headers }, response) => {
      const { name = "" } = (params ?? {}) as { name?: string };
      const error = { code: -32602, message: `Tool ${name} not found` };
      const isKnown = tools.some((tool) => tool.name === name) || headers["mcp-name"] !== name;
      const answered =
        method === "tools/list" ? { result: { tools } } : isKnown ? { result: said("x") } : { error };
      return void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, ...answered }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url, hide: ["read"] });
    const listed = await ask(url, { body: { id: 1, method: "tools/list" } }).answer;
    expect(listed.text).not.toContain('"read"');
    const [hidden, unknown] = await Promise.all(
      ["read", "reed"].map((name) => {
        const body = { ...call, params: { ...call.params, name } };
        return ask(url, { body, headers: { "mcp-name": name } }).answer;
      }),
    );
    expect(unknown?.text).toContain("Tool reed not found");
    expect({ status: hidden?.status, text: hidden?.text.replaceAll("read", "reed") }).toEqual({
      status: unknown?.status,
      text: unknown?.text,
    });
  });

  it("shows and calls a tool by the name that the operator gives it, in the header too", async () => {
    const { url, server } = await open(
      ({ json: { id, method } }, response) =>
        response
          .writeHead(200, json)
          .end(
            JSON.stringify({ jsonrpc: "2.0", id, result: method === "tools/list" ? { tools } : said("x") }),
          ),
      { renameTools: { read: "look" } },
    );
    const listed = await ask(url, { body: { id: 1, method: "tools/list" } }).answer;
    expect(listed.text).toContain('"look"');
    expect(listed.text).not.toContain('"read"');
    const body = { ...call, params: { ...call.params, name: "look" } };
    await ask(url, { body, headers: { "mcp-name": "look" } }).answer;
    const heard = server.heard.at(-1);
    expect(heard?.headers["mcp-name"]).toBe("read");
    expect(JSON.parse(heard?.body ?? "{}")).toMatchObject({ params: { ...call.params, name: "read" } });
  });

  it("hands its own span on to the server, in the message and in the header", async () => {
    const { spans } = listen();
    later(stopListening);
    const { url, calls } = await open(answer(said("x")));
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    await ask(url, { body: call, headers: { traceparent } }).answer;
    const own = `00-${"a".repeat(32)}-${spans()[0]?.spanContext().spanId}-01`;
    expect(calls()[0]?.headers["traceparent"]).toBe(own);
    expect(calls()[0]?.body).toContain(own);
  });

  it("keeps a caller's credentials to itself unless the operator says otherwise", async () => {
    const { url, server } = await open(answer({}), { headers: { "X-Api-Key": "ours" } });
    await ask(url, {
      body: { id: 1, method: "ping" },
      headers: { authorization: "Bearer t", cookie: "c=1", "x-api-key": "theirs" },
    }).answer;
    expect(server.heard[0]?.headers).not.toHaveProperty("authorization");
    expect(server.heard[0]?.headers).not.toHaveProperty("cookie");
    expect(server.heard[0]?.headers["x-api-key"]).toBe("ours");
  });

  it("hands on no TRACE, which a server would answer with the operator's own headers", async () => {
    const { url, server } = await open(answer({}), { headers: { authorization: "Bearer operator" } });
    expect(await ask(url, { method: "TRACE" }).answer).toMatchObject({ status: 405 });
    expect(server.heard).toEqual([]);
  });

  it("hands back what a client must act on: 401 with its challenge, 404 for a session, 405 for a stream", async () => {
    const { url } = await open(({ method, headers }, response) => {
      if (headers["mcp-session-id"] !== undefined) response.writeHead(404, json).end('{"gone":true}');
      else if (method === "POST")
        response.writeHead(401, { "www-authenticate": 'Bearer scope="a"' }).end("no");
      else response.writeHead(405, { allow: "POST" }).end();
    });
    expect(await ask(url, { body: call }).answer).toMatchObject({
      status: 401,
      text: "no",
      headers: { "www-authenticate": 'Bearer scope="a"' },
    });
    expect(await ask(url, { body: call, headers: { "mcp-session-id": "s" } }).answer).toMatchObject({
      status: 404,
      text: '{"gone":true}',
    });
    expect(await ask(url, { method: "GET" }).answer).toMatchObject({
      status: 405,
      headers: { allow: "POST" },
    });
  });

  it("answers what is no message itself, and takes no body over its limit", async () => {
    const { url, server } = await open(answer({}));
    expect(await ask(url, { body: "{oops" }).answer).toMatchObject({
      status: 400,
      text: expect.stringContaining("-32700") as string,
    });
    expect(await ask(url, { body: "[]" }).answer).toMatchObject({ status: 400 });
    expect(
      (await ask(url, { body: "x".repeat(5_000_000) }).answer.catch(() => ({ status: 413 }))).status,
    ).toBe(413);
    expect(server.heard).toEqual([]);
  });
});

describe("a server that gives no answer", () => {
  const refused =
    (status: number, headers: Record<string, string> = {}, body = ""): Handle =>
    (_heard, response) =>
      void response.writeHead(status, headers).end(body);
  const broken =
    (headers: Record<string, string | number>, part: string): Handle =>
    (_heard, response) => {
      response.writeHead(200, headers).write(part);
      setTimeout(() => response.destroy(), 5);
    };
  // Node's own server refuses to send it.
  const odd: Handle = (_heard, response) =>
    void response.socket?.end("HTTP/1.1 099 Odd\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  const html = { "content-type": "text/html" };
  const cases: readonly (readonly [string, Handle, string, string, number])[] = [
    ["is wrong about the content type", refused(200, html, "<p>"), "OPERATION_FAILED", "unknown", 502],
    ["redirects", refused(307, { location: "http://127.0.0.1:1/" }), "OPERATION_FAILED", "no", 502],
    ["has a number that is no status", odd, "OPERATION_FAILED", "no", 502],
    ["is busy", refused(503, { "retry-after": "30" }), "UNAVAILABLE", "no", 503],
    ["has had enough", refused(429, { "retry-after": "30" }), "RATE_LIMIT_EXCEEDED", "unknown", 429],
    ["fails", refused(500, html, "<p>"), "UNAVAILABLE", "unknown", 500],
    ["is too slow for its proxy", refused(504), "TIMEOUT", "unknown", 504],
    ["resets the connection", (_heard, response) => void response.destroy(), "UNAVAILABLE", "unknown", 502],
    ["breaks off a body", broken({ ...json, "content-length": 500 }, "{"), "UNAVAILABLE", "unknown", 502],
    ["breaks off an event", broken(stream, 'data: {"jsonrpc"'), "UNAVAILABLE", "unknown", 200],
    ["ends its stream too early", refused(200, stream, ": nothing\n\n"), "UNAVAILABLE", "unknown", 200],
  ];
  it.each(cases)(
    "%s: a tool call gets a fault, any other request an error",
    async (_what, handle, code, executed, status) => {
      const { url, server } = await open(handle);
      const called = await ask(url, { body: call }).answer;
      expect(called).toMatchObject({ status: 200 });
      expect(called.headers.location).toBeUndefined();
      const failure = failureIn(called.text);
      expect(failure).toMatchObject({ error_code: code, details: { executed } });
      const isChecked = /"remediation":"Check first whether the call took effect/.test(
        JSON.stringify(failure),
      );
      // What these say does not repeat the call.
      const isToRepeat = code === "UNAVAILABLE" || code === "TIMEOUT";
      expect(isChecked).toBe(executed === "unknown" && isToRepeat);
      const pinged = await ask(url, { body: { id: 2, method: "ping" } }).answer;
      expect(pinged.status).toBe(status);
      // A status of the server's own passes with its own body.
      const isOurs = status === 200 || status === 502;
      expect(pinged.text).toContain(isOurs ? '"id":2,"error":{"code":-32000' : "");
      expect(server.heard).toHaveLength(3);
    },
  );

  it("cannot be reached: a fault that says so, and health shows it", async () => {
    const { url, server, proxy } = await open(answer({}));
    await ask(url, { body: { id: 2, method: "ping" } }).answer;
    expect(proxy.health().state).toBe("up");
    await server.close();
    const { text } = await ask(url, { body: call }).answer;
    expect(failureIn(text)).toMatchObject({ error_code: "UNAVAILABLE", details: { executed: "no" } });
    expect(proxy.health()).toMatchObject({ state: "down" });
  });

  it("sends more than may be read: the call is refused as too large", async () => {
    const { url } = await open(answer(said(long)), { maxMessageBytes: 10_000 });
    expect(failureIn((await ask(url, { body: call }).answer).text)).toMatchObject({
      error_code: "TOO_LARGE",
    });
  });
});
