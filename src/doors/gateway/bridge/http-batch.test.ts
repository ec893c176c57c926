import { afterEach, describe, expect, it } from "vitest";
import { quick, serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { childUpstream } from "../upstream/child-upstream.ts";
import { scriptedServer } from "../../../engine/transport/scripted-server.fixture.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { serveProxy } from "../reverse-proxy/proxy-http.fixture.ts";
import { greeting, messagesIn, send } from "./raw-http.fixture.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A session of 2025-03-26, whose clients may send several messages at once. */
async function greet() {
  const upstream = childUpstream("scripted", scriptedServer, { note: () => undefined });
  opened.push(() => upstream.close());
  const gateway = await openGateway(upstream);
  opened.push(gateway.close);
  const params = { ...greeting.params, protocolVersion: "2025-03-26" };
  const hello = await send(gateway.url, { body: JSON.stringify({ ...greeting, params }) });
  const headers = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
  const post = (batch: readonly object[]) =>
    send(gateway.url, { headers, body: JSON.stringify(batch.map((one) => ({ jsonrpc: "2.0", ...one }))) });
  return { post };
}

const call = (id: number, name: string) => ({ id, method: "tools/call", params: { name, arguments: {} } });
const cancel = (requestId: number) => ({ method: "notifications/cancelled", params: { requestId } });

/** The methods that the server has seen. */
async function seenBy(post: (batch: readonly object[]) => ReturnType<typeof send>): Promise<string> {
  return JSON.stringify(messagesIn(await post([call(900, "seen")])));
}

describe("a cancellation in a batch", () => {
  it("is refused at once before a URL, where batches are not taken", async () => {
    const server = await serveRaw((_heard, response) => void response.writeHead(500).end());
    opened.push(server.close);
    const { url } = await serveProxy({ url: server.url });
    const { status, body } = await send(new URL(url), { body: JSON.stringify([call(1, "hang"), cancel(1)]) });
    expect([status, body]).toEqual([400, expect.stringContaining("-32600")]);
    expect(server.heard).toEqual([]);
  });

  it("ends a call of the same batch, and the others are answered", async () => {
    const { post } = await greet();
    const answer = await post([call(1, "hang"), call(2, "echo"), cancel(1)]);
    const ids = messagesIn(answer).map((message) => (message as { id: unknown }).id);
    expect(answer.status).toBe(200);
    expect(ids).toContain(2);
    expect(await seenBy(post)).toContain("notifications/cancelled");
  });

  it("ends the response where all of its calls are cancelled", async () => {
    const { post } = await greet();
    expect((await post([call(1, "hang"), cancel(1)])).status).toBe(200);
    expect((await post([call(3, "hang"), call(4, "hang"), cancel(3), cancel(4)])).status).toBe(200);
    expect((await post([cancel(5), call(5, "echo")])).status).toBe(200);
  });

  it("ends a call that waits in another POST, beside a call that is answered", async () => {
    const { post } = await greet();
    const waiting = post([call(1, "hang")]);
    // An id that is in use is refused.
    await expect.poll(async () => (await post([call(1, "echo")])).status, quick).toBe(400);
    const other = await post([cancel(1), call(2, "echo")]);
    expect(JSON.stringify(messagesIn(other))).toContain('"id":2');
    expect((await waiting).status).toBe(200);
    // An id that is free again is proof that nothing waits for it.
    expect((await post([call(1, "echo")])).status).toBe(200);
  });
});

/** A session in front of a server that keeps what it hears, and gives every request an empty answer. */
async function greetListener() {
  const heard: string[] = [];
  const upstream = memoryUpstream((end) =>
    end.listen({
      message: (bytes) => {
        heard.push(bytes.toString());
        const { id, method } = JSON.parse(bytes.toString()) as JsonObject;
        if (id === undefined || method === undefined) return;
        const result = { content: [], tools: [], protocolVersion: "2025-03-26" };
        end.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
      },
      oversized: () => undefined,
      closed: () => undefined,
    }),
  );
  const gateway = await openGateway(upstream, { command: { hide: ["hidden"] } });
  opened.push(gateway.close);
  const hello = await send(gateway.url, { body: JSON.stringify(greeting) });
  const headers = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
  heard.length = 0;
  return { heard, post: (body: string) => send(gateway.url, { headers, body }) };
}

describe("the messages of a batch", () => {
  it("leave as their own bytes, with every digit and every space", async () => {
    const { heard, post } = await greetListener();
    const named =
      '{ "jsonrpc":"2.0","id":9007199254740991,"method":"x/y","params":{"a":9007199254740993,"b":1e400,"c":1.0} }';
    const told = '{"jsonrpc":"2.0","method":"notifications/z","params":{"ü":[ -0 ,"\\u00e9"]}}';
    const { status, body } = await post(` [ ${named} ,\t${told}] `);
    expect([status, body]).toEqual([200, expect.stringContaining('"id":9007199254740991')]);
    expect(heard).toEqual([named, told]);
  });

  it("may be nested as deeply as outside of one", async () => {
    const { heard, post } = await greetListener();
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const deepCall = `{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"name":"echo","arguments":{"x":${deep}}}}`;
    const answer = `{"jsonrpc":"2.0","id":5,"result":{"x":${deep}}}`;
    expect((await post(`[${deepCall}]`)).status).toBe(200);
    expect((await post(`[${answer}]`)).status).toBe(202);
    expect(heard).toEqual([deepCall, answer]);
    const called = await post(`[${deepCall.replace("x/y", "tools/call")}]`);
    expect(called.body).toContain('"id":1');
    expect((await post(`[${deepCall}]`)).status).toBe(200);
  });

  it("are refused for a key that is there twice, as outside of one", async () => {
    const { heard, post } = await greetListener();
    const twice =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hidden","name":"echo","arguments":{}}}';
    const alone = await post(twice);
    const inBatch = await post(`[{"jsonrpc":"2.0","id":2,"method":"ping"},${twice}]`);
    expect([inBatch.status, inBatch.body]).toEqual([400, alone.body]);
    expect(alone.body).toContain("-32602");
    expect(heard).toEqual([]);
  });
});
