import { describe, expect, it } from "vitest";
import { serveRaw, type Handle, quick } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { createGateway } from "../create-gateway.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { ask, later, serveProxy } from "./proxy-http.fixture.ts";
import type { ServerResponse } from "node:http";
import { until } from "../../../engine/transport/until.fixture.ts";

const long = "So it is written. ".repeat(1_000);

/** What a server that knows its callers by any header would tell them apart by. */
function callerIn(headers: object): string {
  const telling = ["authorization", "cookie", "x-api-key", "x-user"];
  const shown = headers as Readonly<Record<string, string>>;
  return telling.flatMap((name) => shown[name] ?? []).join("+");
}

/** A gateway in front of a server that tells each caller what is for that caller alone. */
async function open(auth: UrlUpstream["auth"], options: Partial<UrlUpstream> = {}) {
  const server = await serveRaw(({ json: { id, method }, headers }, response) => {
    const own = `For ${callerIn(headers)} alone. ${long}`;
    const result =
      method === "tools/list"
        ? { tools: [{ name: "read", inputSchema: { type: "object" }, outputSchema: { type: "object" } }] }
        : { content: [{ type: "text", text: own }], structuredContent: { own } };
    const body = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  later(server.close);
  const gateway = createGateway({
    upstreams: { web: { url: server.url, auth, budget: { tokens: 500 }, ...options } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  later(() => gateway.close());
  const { urls } = await gateway.listen();
  const url = urls["web"] ?? "";
  const call = async (headers: object, name: string, args: object = {}): Promise<string> => {
    const body = { id: 1, method: "tools/call", params: { name, arguments: args } };
    return (await ask(url, { body, headers }).answer).text;
  };
  const asked = (): string[] =>
    server.heard.filter(({ body }) => body.includes("tools/list")).map(({ headers }) => callerIn(headers));
  return { url, call, asked };
}

const basic = (name: string): object => ({ authorization: `Basic ${btoa(`${name}:secret`)}` });

describe("callers whose credentials pass through", () => {
  it.each<[string, UrlUpstream["auth"], (name: string) => object]>([
    ["Bearer tokens", "passthrough", (name) => ({ authorization: `Bearer ${name}-token` })],
    ["Basic credentials", "passthrough", basic],
    ["cookies", "passthrough", (name) => ({ cookie: `sid=${name}` })],
    ["a key in a header", "passthrough", (name) => ({ "x-api-key": name })],
    ["a key in a header, where no credentials are asked for", "none", (name) => ({ "x-api-key": name })],
  ])("have tool lists and archives of their own: %s", async (_what, auth, headersOf) => {
    const { call, asked } = await open(auth);
    const [ada, ben] = [headersOf("ada"), headersOf("ben")];
    const cut = await call(ada, "read");
    await call(ben, "read");
    expect(asked()).toEqual([callerIn(ada), callerIn(ben)]);
    const [archive] = /[0-9a-f]{64}/.exec(cut) ?? [];
    expect(archive).toBeDefined();
    const wanted = { archive, pointer: "/own" };
    expect((await call(ada, "waybill_retrieve", wanted)).includes("alone. So it")).toBe(true);
    const refused = await call(ben, "waybill_retrieve", wanted);
    expect([refused.includes("NOT_FOUND"), refused.includes("alone.")]).toEqual([true, false]);
  });

  it("have sessions of their own: another's name for one opens nothing that was kept in it", async () => {
    const { call } = await open("passthrough");
    const session = { "mcp-session-id": "s1" };
    const cut = await call({ ...basic("ada"), ...session }, "read");
    const [archive] = /[0-9a-f]{64}/.exec(cut) ?? [];
    const refused = await call({ ...basic("ben"), ...session }, "waybill_retrieve", { archive });
    expect(refused.includes("NOT_FOUND")).toBe(true);
  });

  it("who say what anybody can say have lists of their own, and are strangers to archives", async () => {
    const { call, asked } = await open("none");
    await call({ "x-user": "ada" }, "read");
    await call({ "x-user": "ben" }, "read");
    await call({ "x-user": "ada" }, "read");
    expect(asked()).toEqual(["ada", "ben"]);
  });

  it("are one caller where the operator's own key takes the place of theirs", async () => {
    const { call, asked } = await open("none", { headers: { "X-Api-Key": "ours" } });
    await call({ "x-api-key": "ada" }, "read");
    await call({ "x-api-key": "ben" }, "read");
    expect(asked()).toEqual(["ours"]);
  });
});

const SESSION = "mcp-session-id";

/** A gateway in front of a server that calls every session `s1`, answers calls when a test lets it, and has streams. */
async function openNamesakes() {
  const held: (() => void)[] = [];
  const streams: ServerResponse[] = [];
  const server = await serveRaw(({ json: { id, method, params }, method: verb }, response) => {
    const headers = { [SESSION]: "s1", "content-type": "application/json" };
    if (verb === "GET") {
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).flushHeaders();
      streams.push(response);
      return;
    }
    if (id === undefined) {
      response.writeHead(verb === "DELETE" ? 200 : 202, headers).end();
      return;
    }
    const { arguments: args = {} } = (params ?? {}) as { arguments?: { who?: string } };
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }
        : method === "tools/list"
          ? { tools: [{ name: "read", inputSchema: { type: "object" } }] }
          : { content: [{ type: "text", text: `For ${args.who ?? ""} alone. ${long}` }] };
    const answer = (): void =>
      void response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "tools/call") held.push(answer);
    else answer();
  });
  later(server.close);
  const gateway = createGateway({
    upstreams: { web: { url: server.url, auth: "none", budget: { tokens: 500 } } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  later(() => gateway.close());
  const { urls } = await gateway.listen();
  const url = urls["web"] ?? "";
  const greet = async () => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const { headers } = await ask(url, { body: { id: 0, method: "initialize", params } }).answer;
    const session = { [SESSION]: String(headers[SESSION]) };
    const call = async (name: string, args: object): Promise<string> => {
      const body = { id: 1, method: "tools/call", params: { name, arguments: args } };
      const { headers: said, text } = await ask(url, { headers: session, body }).answer;
      expect([undefined, session[SESSION]]).toContain(said[SESSION]);
      return text;
    };
    const send = (method: string) => ask(url, { method, headers: session });
    return { name: session[SESSION], call, send };
  };
  const release = async (count: number): Promise<void> => {
    await until(() => held.length >= count);
    for (const answer of held.splice(0).reverse()) answer();
  };
  return { server, greet, release, streams };
}

const archiveIn = (text: string): string => /[0-9a-f]{64}/.exec(text)?.[0] ?? "";

describe("two clients whose sessions the server calls the same", () => {
  it("have names of their own here, and the server hears the one that it gave", async () => {
    const { server, greet, release } = await openNamesakes();
    const [ada, ben] = [await greet(), await greet()];
    expect(ada.name).toBe("s1");
    expect(ben.name).toMatch(/^[0-9a-f-]{36}$/);
    const calls = [ada, ben].map(({ call }) => call("read", { who: "x" }));
    await release(2);
    await Promise.all(calls);
    const named = server.heard.filter(({ body }) => body.includes("tools/call"));
    expect(named.map(({ headers }) => headers[SESSION])).toEqual(["s1", "s1"]);
  });

  it("get their own answers to requests with the same id, and cannot read what was kept for the other", async () => {
    const { greet, release } = await openNamesakes();
    const [ada, ben] = [await greet(), await greet()];
    const calls = [ada.call("read", { who: "ada" }), ben.call("read", { who: "ben" })];
    await release(2);
    const [forAda = "", forBen = ""] = await Promise.all(calls);
    expect([forAda, forBen].map((text) => /For (\w+) alone/.exec(text)?.[1])).toEqual(["ada", "ben"]);
    const archive = archiveIn(forAda);
    expect(await ben.call("waybill_retrieve", { archive })).toMatch(/NOT_FOUND/);
    expect(await ada.call("waybill_retrieve", { archive })).not.toMatch(/NOT_FOUND/);
  });

  it("do not end one another's sessions", async () => {
    const { greet, release } = await openNamesakes();
    const [ada, ben] = [await greet(), await greet()];
    const calling = ada.call("read", { who: "ada" });
    await release(1);
    const archive = archiveIn(await calling);
    expect((await ben.send("DELETE").answer).status).toBe(200);
    expect(await ada.call("waybill_retrieve", { archive })).not.toMatch(/NOT_FOUND/);
    const next = ada.call("read", { who: "ada again" });
    await release(1);
    expect(await next).toMatch(/For ada again alone/);
  });

  it("see on their streams no answer to what the other asked", async () => {
    const { greet, streams } = await openNamesakes();
    const [ada, ben] = [await greet(), await greet()];
    const listening = [ada.send("GET"), ben.send("GET")];
    await until(() => streams.length === 2);
    const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
    for (const stream of streams)
      stream.write(
        event({ id: 77, result: { whose: "nobody's here" } }) + event({ method: "notifications/x" }),
      );
    await until(() => listening.every(({ heard }) => heard().includes("notifications/x")));
    expect(listening.map(({ heard }) => heard().includes("whose"))).toEqual([false, false]);
    for (const { leave } of listening) leave();
  });
});

const json = { "content-type": "application/json" };

async function openWith(handle: Handle, options: Partial<UrlUpstream>) {
  const server = await serveRaw(handle);
  later(server.close);
  const { url } = await serveProxy({ url: server.url, ...options });
  return { server, url };
}

describe("limits of the proxy", () => {
  const never: Handle = () => undefined;

  it("a request that is no tool call is answered when its time is over, and cancelled at the server", async () => {
    const { url, server } = await openWith(never, { requestTimeoutMs: 30 });
    const read = { id: 5, method: "resources/read", params: { uri: "x:y" } };
    const { status, text } = await ask(url, { body: read }).answer;
    expect(status).toBe(504);
    expect(text).toContain('"id":5,"error":{"code":-32000');
    await expect.poll(() => server.heard.at(-1)?.body, quick).toContain("notifications/cancelled");
    expect((await ask(url, { body: { method: "notifications/x" } }).answer).status).toBe(504);
  });

  it("one caller may wait for so many answers at once, and others are served", async () => {
    const { url, server } = await openWith(
      ({ json: { id, method } }, response) => {
        if (method === "ping")
          response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
      },
      { maxOpenRequests: 2, auth: "passthrough" },
    );
    const waiting = [1, 2].map((id) => ask(url, { body: { id, method: "resources/list" } }));
    await expect.poll(() => server.heard.length, quick).toBe(2);
    const refused = await ask(url, { body: { id: 3, method: "ping" } }).answer;
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
    const other = { body: { id: 3, method: "ping" }, headers: { authorization: "Basic YQ==" } };
    expect((await ask(url, other).answer).status).toBe(200);
    for (const { leave } of waiting) leave();
    await expect
      .poll(async () => (await ask(url, { body: { id: 3, method: "ping" } }).answer).status, quick)
      .toBe(200);
  });

  it("a body that is too long is refused, and its connection closed", async () => {
    const { url, server } = await openWith(never, {});
    const answer = await fetch(url, { method: "POST", body: "x".repeat(5_000_000) });
    expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
    await answer.text();
    expect(server.heard).toEqual([]);
  });
});

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
const tools = [{ name: "read", inputSchema: { type: "object", properties: { n: { type: "number" } } } }];

describe("the proxy in front of a server over HTTP", () => {
  it("asks the server without the question, byte for byte, and answers it", async () => {
    const json = { "content-type": "application/json" };
    const server = await serveRaw(({ json: { id, method } }, response) => {
      const result =
        method === "tools/list" ? { tools } : { content: [{ type: "text", text: JSON.stringify(rows) }] };
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url }, { select: true, dialect: "auto" });
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"n":1.0,"_waybill_select":"[-1].id"}}}';
    const { text } = await ask(url, { body }).answer;
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "3" }] } });
    const called = server.heard.map((heard) => heard.body).filter((sent) => sent.includes("tools/call"));
    expect(called).toEqual([
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"n":1.0}}}',
    ]);
  });

  it("names the code of a question that does not fit, and the call that asks again", async () => {
    const server = await serveRaw(({ json: { id, method } }, response) => {
      const result =
        method === "tools/list" ? { tools } : { content: [{ type: "text", text: JSON.stringify(rows) }] };
      const json = { "content-type": "application/json" };
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url }, { select: true, dialect: "auto" });
    const params = { name: "read", arguments: { _waybill_select: "nope.x" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    const { text } = await ask(url, { body }).answer;
    const { result } = JSON.parse(text) as { result: { content: readonly { text: string }[] } };
    expect(result.content[0]?.text).toBe(JSON.stringify(rows));
    const said = JSON.parse(result.content.at(-1)?.text ?? "{}") as object;
    expect(said).toMatchObject({ meta: { warning_details: [{ code: "SELECT_FAILED" }] } });
    expect(JSON.stringify(said)).toContain("need not run again: ask with waybill_retrieve");
  });
});
