import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { linkPair } from "./link-pair.fixture.ts";
import { McpClient, type McpClientListener } from "./mcp-client.ts";
import { until } from "./until.fixture.ts";

type Serve = (request: JsonObject) => JsonObject | undefined;

/** A client in front of a server in memory that answers as told. */
function open(serve: Serve, listener?: McpClientListener) {
  const [link, server] = linkPair();
  const seen: JsonObject[] = [];
  let isClosed = false;
  server.listen({
    message: (bytes) => {
      const request = JSON.parse(bytes.toString()) as JsonObject;
      seen.push(request);
      const answer = request["id"] === undefined ? undefined : serve(request);
      if (answer !== undefined)
        server.send(JSON.stringify({ jsonrpc: "2.0", id: request["id"] ?? null, ...answer }));
    },
    oversized: () => undefined,
    closed: () => (isClosed = true),
  });
  const client = new McpClient({ link, clientInfo: { name: "test", version: "1" }, listener });
  return { client, server, seen, isClosed: () => isClosed, methods: () => seen.map(({ method }) => method) };
}

const silent: Serve = () => undefined;
const refusal = { error: { code: -32601, message: "Method not found" } };
const knows =
  (method: string): Serve =>
  (request) =>
    request["method"] === method ? { result: {} } : refusal;

describe("a greeting", () => {
  it.each([
    ["legacy-first", "initialize", "legacy", ["initialize", "notifications/initialized"]],
    ["legacy-first", "server/discover", "modern", ["initialize", "server/discover"]],
    ["modern-first", "server/discover", "modern", ["server/discover"]],
    ["modern-first", "initialize", "legacy", ["server/discover", "initialize", "notifications/initialized"]],
  ] as const)("%s to a server that knows %s finds the era %s", async (order, known, era, sent) => {
    const { client, methods } = open(knows(known));
    expect(await client.greet(order, 5_000)).toEqual({ era, reply: { kind: "result", result: {} } });
    await until(() => methods().length === sent.length);
    expect(methods()).toEqual(sent);
  });

  it("of a silent server tries the other era before the time is over", async () => {
    const { client } = open((request) => (request["method"] === "initialize" ? { result: {} } : undefined));
    expect(await client.greet("modern-first", 40)).toMatchObject({
      era: "legacy",
      reply: { kind: "result" },
    });
  });

  it("decides what later requests carry", async () => {
    const { client, seen } = open((request) =>
      request["method"] === "initialize" ? refusal : { result: {} },
    );
    await client.greet("legacy-first", 5_000);
    await client.ask("ping", {}, { meta: { progressToken: 1 } });
    expect(seen.at(-1)?.["params"]).toEqual({
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        progressToken: 1,
      },
    });
  });
});

describe("a request", () => {
  it("that is late tells the server only if it is asked to", async () => {
    const { client, methods } = open(silent);
    expect(await client.ask("a", {}, { timeoutMs: 5 })).toMatchObject({
      reply: { kind: "timeout", afterMs: 5 },
    });
    await client.ask("b", {}, { timeoutMs: 5, tellsLate: true });
    await until(() => methods().length === 3);
    expect(methods()).toEqual(["a", "b", "notifications/cancelled"]);
  });

  it("that is given up tells the server", async () => {
    const { client, seen } = open(silent);
    const page = new AbortController();
    const asked = client.ask("a", {}, { signal: page.signal });
    page.abort();
    expect((await asked).reply).toEqual({ kind: "closed", reason: "was not waited for" });
    await until(() => seen.length === 2);
    expect(seen[1]?.["params"]).toEqual({ requestId: 1, reason: "was not waited for" });
  });

  it("gets the reason when the connection ends, and so does every later one", async () => {
    const { client, server } = open(silent);
    const asked = client.ask("a", {});
    server.close();
    const { reply } = await asked;
    expect(reply.kind).toBe("closed");
    expect((await client.ask("b", {})).reply).toEqual(reply);
  });

  it("keeps the text of its answer, with every digit", async () => {
    const { client, server } = open(silent);
    const asked = client.ask("a", {});
    const text = '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}';
    server.send(text);
    expect((await asked).text).toBe(text);
  });
});

describe("what a server sends besides answers", () => {
  it("is heard, and its requests are answered", async () => {
    const heard: unknown[] = [];
    const { server, seen } = open(silent, {
      notified: (method) => heard.push(method),
      odd: (text) => heard.push(text),
      unmatched: (response) => heard.push(response["id"]),
      received: (bytes, value) => value === undefined && heard.push(bytes.toString()),
    });
    for (const line of [
      '{"jsonrpc":"2.0","method":"notifications/message"}',
      "no JSON",
      "[7]",
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      '{"jsonrpc":"2.0","id":"p","method":"ping"}',
      '{"jsonrpc":"2.0","id":"r","method":"roots/list"}',
    ])
      server.send(line);
    await until(() => seen.length === 2);
    expect(heard).toEqual(["notifications/message", "no JSON", "[7]", 9]);
    expect(seen).toEqual([
      { jsonrpc: "2.0", id: "p", result: {} },
      {
        jsonrpc: "2.0",
        id: "r",
        error: { code: -32601, message: "This client does not support roots/list" },
      },
    ]);
  });
});
