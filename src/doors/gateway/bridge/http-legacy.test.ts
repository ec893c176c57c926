import { setTimeout as sleep } from "node:timers/promises";
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from "@modelcontextprotocol/client";
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Client as V1Client } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as V1Http } from "mcp-sdk-1-32/client/streamableHttp.js";
import { ElicitRequestSchema } from "mcp-sdk-1-32/types.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../../engine/archive/memory-store.ts";
import { type FixtureOptions, LinkTransport, memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { greeting, messagesIn, send } from "./raw-http.fixture.ts";

const anything = fromJsonSchema({ type: "object" });

/** A server with tools that answer at once, that report, that ask, and that wait. */
function build(): McpServer {
  const server = new McpServer(
    { name: "legacy", version: "1.0.0" },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  server.registerTool("say", { description: "Says", inputSchema: anything }, async () => ({
    content: [{ type: "text", text: "said" }],
  }));
  const rows = Array.from({ length: 500 }, (_, at) => ({ at, text: "words" }));
  server.registerTool("long", { description: "Says much", inputSchema: anything }, async () => ({
    content: [{ type: "text", text: JSON.stringify(rows) }],
  }));
  server.registerTool(
    "report",
    { description: "Reports", inputSchema: anything },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2 },
      });
      await mcpReq.log("info", "half");
      await sleep(10);
      return { content: [{ type: "text", text: "reported" }] };
    },
  );
  server.registerTool("ask", { description: "Asks", inputSchema: anything }, async (_args, { mcpReq }) => {
    const { action } = await mcpReq.elicitInput({
      message: "Well?",
      requestedSchema: { type: "object", properties: {} },
    });
    return { content: [{ type: "text", text: action }] };
  });
  server.registerTool("wait", { description: "Waits", inputSchema: anything }, async (_args, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve, { once: true }));
    return { content: [] };
  });
  server.registerTool("change", { description: "Changes the list", inputSchema: anything }, async () => {
    server.sendToolListChanged();
    return { content: [] };
  });
  return server;
}

const opened: (() => Promise<void>)[] = [];

async function open(options: FixtureOptions = {}) {
  const upstream = memoryUpstream(
    (end) => void serveStdio(() => build(), { transport: new LinkTransport(end) as never }),
  );
  const gateway = await openGateway(upstream, options);
  opened.push(gateway.close);
  return { ...gateway, upstream };
}

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function greet(url: URL): Promise<string> {
  const { headers } = await send(url, { body: JSON.stringify(greeting) });
  const id = String(headers["mcp-session-id"]);
  await send(url, {
    headers: { "mcp-session-id": id },
    body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  });
  return id;
}

function callBody(name: string, id: number, meta: object = {}): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: {}, _meta: meta },
  });
}

async function textOf(result: Promise<unknown>): Promise<string> {
  return JSON.stringify(((await result) as { content: unknown }).content);
}

describe("a legacy session", () => {
  it.each([
    [
      "SDK v1",
      () => new V1Client({ name: "v1", version: "1" }, { capabilities: { elicitation: {} } }),
      V1Http,
    ],
    [
      "SDK v2",
      () => new V2Client({ name: "v2", version: "1" }, { capabilities: { elicitation: {} } }),
      V2Http,
    ],
  ])("serves a client of %s: calls, progress, logs, questions, news, the end", async (_name, make, Http) => {
    const { url, upstream } = await open();
    const client = make() as V2Client;
    const seen: string[] = [];
    const question = _name === "SDK v1" ? ElicitRequestSchema : "elicitation/create";
    client.setRequestHandler(question as never, (() => ({ action: "decline" })) as never);
    client.fallbackNotificationHandler = async ({ method }) => void seen.push(method);
    const transport = new Http(url) as V2Http;
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "say",
      "long",
      "report",
      "ask",
      "wait",
      "change",
      "waybill_retrieve",
    ]);
    expect(await textOf(client.callTool({ name: "say", arguments: {} }))).toContain("said");
    const progress: unknown[] = [];
    const onprogress = (step: unknown): void => void progress.push(step);
    // Version 1 takes a schema before the options.
    const options = _name === "SDK v1" ? [undefined, { onprogress }] : [{ onprogress }];
    await client.callTool({ name: "report", arguments: {} }, ...(options as []));
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    expect(await textOf(client.callTool({ name: "ask", arguments: {} }))).toContain("decline");
    await client.callTool({ name: "change", arguments: {} });
    await vi.waitFor(() => expect(seen).toContain("notifications/tools/list_changed"));
    expect(seen).toContain("notifications/message");
    await transport.terminateSession();
    await client.close();
    await vi.waitFor(() => expect(upstream.ends[0]?.closedBy).toBeDefined());
  });

  it("answers with JSON where nothing came before, else with a stream whose events have ids", async () => {
    const { url } = await open();
    const headers = { "mcp-session-id": await greet(url) };
    const plain = await send(url, { headers, body: callBody("say", 1) });
    expect(plain.headers["content-type"]).toBe("application/json");
    expect(plain.headers["mcp-session-id"]).toBe(headers["mcp-session-id"]);
    const streamed = await send(url, { headers, body: callBody("report", 2, { progressToken: "p" }) });
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(messagesIn(streamed)).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p" } },
      { method: "notifications/message" },
      { id: 2, result: { content: [{ text: "reported" }] } },
    ]);
    const lastId = /^id: (.*)$/m.exec(streamed.body)?.[1];
    const again = await send(url, {
      method: "GET",
      headers: { ...headers, accept: "text/event-stream", "last-event-id": lastId },
    });
    expect(messagesIn(again)).toMatchObject([{ method: "notifications/message" }, { id: 2 }]);
    const unknown = { ...headers, accept: "text/event-stream", "last-event-id": "9-999" };
    expect(await send(url, { method: "GET", headers: unknown })).toMatchObject({ status: 400 });
  });

  it("takes the batches of 2025-03-26 and answers each request", async () => {
    const { url } = await open();
    const headers = { "mcp-session-id": await greet(url) };
    const body = `[${callBody("say", 1)},${callBody("say", 2)},{"jsonrpc":"2.0","method":"notifications/initialized"}]`;
    const answer = await send(url, { headers, body });
    expect(messagesIn(answer)).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it("refuses an id that is in use, and cancels by notification", async () => {
    const { url } = await open();
    const headers = { "mcp-session-id": await greet(url) };
    const waiting = send(url, { headers, body: callBody("wait", 5) });
    await vi.waitFor(async () => {
      const second = await send(url, { headers, body: callBody("say", 5) });
      expect(second).toMatchObject({ status: 400 });
      expect(messagesIn(second)).toMatchObject([{ id: 5, error: { code: -32600 } }]);
    });
    await send(url, {
      headers,
      body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}',
    });
    // Its response ends without an answer, which no caller waits for.
    expect(messagesIn(await waiting)).toEqual([]);
    expect((await send(url, { method: "DELETE", headers })).status).toBe(200);
    expect((await send(url, { headers, body: callBody("say", 6) })).status).toBe(404);
  });

  it("belongs to the caller who opened it", async () => {
    const { url } = await open({
      authenticate: async (headers) => ({
        kind: "ok",
        principal: headers["x-user"] ?? "nobody",
        authInfo: undefined,
        headers,
      }),
    });
    const headers = { "mcp-session-id": await greet(url) };
    expect((await send(url, { headers, body: callBody("say", 1) })).status).toBe(200);
    expect(
      (await send(url, { headers: { ...headers, "x-user": "other" }, body: callBody("say", 1) })).status,
    ).toBe(404);
  });

  it("ends when its server ends: callers that wait are answered", async () => {
    const { url, upstream } = await open();
    const headers = { "mcp-session-id": await greet(url) };
    const waiting = send(url, { headers, body: callBody("wait", 5) });
    const listed = send(url, { headers, body: '{"jsonrpc":"2.0","id":6,"method":"never/answered"}' });
    await listed;
    upstream.ends[0]?.close();
    expect(messagesIn(await waiting)).toMatchObject([{ id: 5 }]);
    expect((await send(url, { headers, body: callBody("say", 1) })).status).toBe(404);
  });

  it("is one of a bounded number: an idle one makes room, a busy one does not", async () => {
    const { url } = await open({ command: { maxProcesses: 2 } });
    const [first, second] = [await greet(url), await greet(url)];
    const third = await greet(url);
    expect((await send(url, { headers: { "mcp-session-id": first }, body: callBody("say", 1) })).status).toBe(
      404,
    );
    const busy = [second, third].map((id) =>
      send(url, { headers: { "mcp-session-id": id }, body: callBody("wait", 1) }),
    );
    await vi.waitFor(async () => {
      const refused = await send(url, { body: JSON.stringify(greeting) });
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    });
    for (const id of [second, third])
      await send(url, { method: "DELETE", headers: { "mcp-session-id": id } });
    await Promise.all(busy);
  });

  it("takes what was archived for it away when it ends", async () => {
    const store = memoryStore();
    const { url } = await open({ contract: { store, budget: { tokens: 300 } } });
    const headers = { "mcp-session-id": await greet(url) };
    const cut = await send(url, { headers, body: callBody("long", 1) });
    expect(cut.body).toContain("content_archive_hashes");
    const kept = async (): Promise<number> => {
      const entries = [];
      for await (const entry of store.list()) entries.push(entry);
      return entries.length;
    };
    expect(await kept()).toBeGreaterThan(0);
    await send(url, { method: "DELETE", headers });
    await vi.waitFor(async () => expect(await kept()).toBe(0));
  });

  it("ends with a client that leaves before it is greeted", async () => {
    const upstream = memoryUpstream((end) =>
      end.listen({ message: () => {}, oversized: () => {}, closed: () => {} }),
    );
    const gateway = await openGateway(upstream);
    opened.push(gateway.close);
    const leaving = new AbortController();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const asked = fetch(gateway.url, {
      method: "POST",
      headers,
      body: JSON.stringify(greeting),
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(upstream.ends[0]?.heard).toHaveLength(1));
    expect(gateway.handler.sessions()).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    await vi.waitFor(() => expect(gateway.handler.sessions()).toBe(0));
    expect(upstream.ends[0]?.closedBy).toBeDefined();
  });

  it("ends by itself after a while without requests and without an open stream", async () => {
    const { url, upstream } = await open({ command: { idleMs: 60 } });
    const idle = await greet(url);
    await vi.waitFor(() => expect(upstream.ends[0]?.closedBy).toBeDefined());
    expect((await send(url, { headers: { "mcp-session-id": idle }, body: callBody("say", 1) })).status).toBe(
      404,
    );
  });
});
