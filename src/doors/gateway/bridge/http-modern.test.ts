import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server as V1Server } from "mcp-sdk-1-32/server/index.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FixtureOptions, LinkTransport, memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { messagesIn, modern, send } from "./raw-http.fixture.ts";

const anything = fromJsonSchema({ type: "object" });

interface Heard {
  readonly aborted: unknown[];
}

function build(heard: Heard): McpServer {
  const server = new McpServer(
    { name: "modern", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool("echo", { description: "Echoes", inputSchema: anything }, async (args) => {
    const { text, ms } = args as { text: string; ms?: number };
    await sleep(ms ?? 0);
    return { content: [{ type: "text", text: `heard ${text}` }] };
  });
  server.registerTool(
    "report",
    { description: "Reports", inputSchema: anything },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      await sleep(10);
      return { content: [] };
    },
  );
  server.registerTool("wait", { description: "Waits", inputSchema: anything }, async (_args, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve, { once: true }));
    heard.aborted.push("wait");
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
  const heard: Heard = { aborted: [] };
  const upstream = memoryUpstream(
    (end) => void serveStdio(() => build(heard), { transport: new LinkTransport(end) as never }),
  );
  const gateway = await openGateway(upstream, options);
  opened.push(gateway.close);
  return { ...gateway, upstream, heard };
}

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function connect(url: URL): Promise<Client> {
  const client = new Client({ name: "modern", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(url));
  opened.push(() => client.close());
  return client;
}

describe("modern requests", () => {
  it("reach a tool by the name that the operator gives it, and no other", async () => {
    const { url } = await open({ command: { renameTools: { echo: "say_it" }, allowTools: ["echo"] } });
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["say_it", "waybill_retrieve"]);
    const answer = await client.callTool({ name: "say_it", arguments: { text: "x" } });
    expect(answer.content).toEqual([{ type: "text", text: "heard x" }]);
    await expect(client.callTool({ name: "echo", arguments: { text: "x" } })).rejects.toThrow(
      /echo not found/,
    );
  });

  it("of many clients share one process, and each gets its own answers and progress", async () => {
    const { url, upstream } = await open();
    const clients = await Promise.all(Array.from({ length: 6 }, () => connect(url)));
    expect(clients[0]?.getProtocolEra()).toBe("modern");
    const answers = await Promise.all(
      clients.map((client, at) =>
        client.callTool({ name: "echo", arguments: { text: `n${at}`, ms: 10 - at } }),
      ),
    );
    expect(answers.map((answer) => JSON.stringify(answer))).toEqual(
      clients.map((_client, at) => expect.stringContaining(`heard n${at}`) as string),
    );
    const progress = new Set<number>();
    await Promise.all(
      clients.map((client, at) =>
        client.callTool({ name: "report", arguments: {} }, { onprogress: () => void progress.add(at) }),
      ),
    );
    expect(progress).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(upstream.ends).toHaveLength(1);
  });

  it("are answered with JSON, or with a stream where something comes first", async () => {
    const { url } = await open();
    const plain = await send(url, modern("tools/call", { name: "echo", arguments: { text: "x" } }, "a-1"));
    expect(plain.headers["content-type"]).toBe("application/json");
    expect(messagesIn(plain)).toMatchObject([{ id: "a-1", result: { resultType: "complete" } }]);
    const params = { name: "report", arguments: {}, _meta: { progressToken: "p" } };
    const streamed = await send(url, modern("tools/call", params));
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(messagesIn(streamed)).toMatchObject([{ params: { progressToken: "p" } }, { id: 1 }]);
    const { headers, body } = modern("tools/list");
    const onlyStream = await send(url, { headers: { ...headers, accept: "text/event-stream" }, body });
    expect(onlyStream.headers["content-type"]).toBe("text/event-stream");
    expect(messagesIn(onlyStream)).toMatchObject([{ id: 1, result: {} }]);
  });

  it("that take long become streams with signs of life, in either era", async () => {
    const { url } = await open({ command: { keepAliveMs: 20 } });
    const slow = { name: "echo", arguments: { text: "late", ms: 90 } };
    const answer = await send(url, modern("tools/call", slow));
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.body).toContain(": keepalive\n\n");
    expect(messagesIn(answer)).toMatchObject([{ id: 1, result: { content: [{ text: "heard late" }] } }]);
  });

  it("are served for the caller's address, as rate limits need it", async () => {
    const peers: unknown[] = [];
    const { url } = await open({ contract: { tenant: ({ peer }) => (peers.push(peer), undefined) } });
    await send(url, modern("tools/call", { name: "echo", arguments: { text: "x" } }));
    expect(new Set(peers)).toEqual(new Set(["127.0.0.1"]));
  });

  it("are cancelled when the client closes the response", async () => {
    const { url, heard } = await open();
    const { headers, body } = modern("tools/call", { name: "wait", arguments: {} });
    await send(url, modern("tools/list"));
    const asked = request(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
    });
    asked.on("error", () => undefined);
    asked.end(body);
    await sleep(50);
    expect(heard.aborted).toEqual([]);
    asked.destroy();
    await vi.waitFor(() => expect(heard.aborted).toEqual(["wait"]));
  });

  it("listen to news, each on a stream of its own", async () => {
    const { url } = await open();
    const [first, second] = [await connect(url), await connect(url)];
    let changes = 0;
    first.setNotificationHandler("notifications/tools/list_changed", () => void (changes += 1));
    const subscription = await first.listen({ toolsListChanged: true });
    await second.callTool({ name: "change", arguments: {} });
    await vi.waitFor(() => expect(changes).toBe(1));
    await subscription.close();
    await second.callTool({ name: "change", arguments: {} });
    await sleep(20);
    expect(changes).toBe(1);
  });

  it("of different callers never share a process", async () => {
    const { url, upstream } = await open({
      authenticate: async (headers) => ({
        kind: "ok",
        principal: headers["x-user"] ?? "",
        authInfo: undefined,
        headers,
      }),
    });
    const { headers, body } = modern("tools/list");
    for (const user of ["ann", "bob", "ann"])
      expect((await send(url, { headers: { ...headers, "x-user": user }, body })).status).toBe(200);
    expect(upstream.ends).toHaveLength(2);
  });

  it("to a server of the legacy era say so, and a client that can falls back to a session", async () => {
    const upstream = memoryUpstream((end) => {
      const server = new V1Server({ name: "old", version: "1" }, { capabilities: {} });
      void server.connect(new LinkTransport(end) as never);
    });
    const gateway = await openGateway(upstream);
    opened.push(gateway.close);
    expect(await send(gateway.url, modern("server/discover"))).toMatchObject({ status: 404 });
    const client = await connect(gateway.url);
    expect(client.getProtocolEra()).toBe("legacy");
    expect(client.getServerVersion()).toMatchObject({ name: "old" });
  });

  it("are answered when the server ends, and the next one gets a new process", async () => {
    const { url, upstream } = await open();
    await send(url, modern("tools/list"));
    const waiting = send(url, modern("tools/call", { name: "wait", arguments: {} }));
    await sleep(30);
    upstream.ends[0]?.close();
    expect(messagesIn(await waiting)).toMatchObject([{ id: 1 }]);
    expect((await send(url, modern("tools/list"))).status).toBe(200);
    expect(upstream.ends).toHaveLength(2);
  });

  it("end their process after a while without any", async () => {
    const { url, upstream } = await open({ command: { idleMs: 60 } });
    await send(url, modern("tools/list"));
    await vi.waitFor(() => expect(upstream.ends[0]?.closedBy).toBeDefined());
    expect((await send(url, modern("tools/list"))).status).toBe(200);
  });
});
