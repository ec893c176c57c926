import type { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import {
  type Handle,
  quick,
  serveRaw,
  sseOf,
} from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { statusFailure } from "../../../engine/transport/http/http-failure.ts";
import { openHttpUpstream } from "./http-upstream.ts";
import { type Message, call, connect, json, open, stream } from "./http-link.fixture.ts";

const initialize = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2024-11-05",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
};
const agreed = {
  protocolVersion: "2024-11-05",
  capabilities: {},
  serverInfo: { name: "old", version: "1" },
};

interface OldScript {
  /** What the event `endpoint` says. Default: an address beside the stream's. */
  readonly endpoint?: string;
  /** Answers a request other than the greeting, on the stream. Default: it is never answered. */
  readonly ask?: (message: Message, say: ServerResponse) => void;
  /** The status for a POST. Default: 202. */
  readonly accept?: (message: Message) => number;
}

/** A server of the old transport, which does nothing but what a test says. */
function oldServer({ endpoint = "/messages?sessionId=1", ask, accept }: OldScript) {
  const streams: ServerResponse[] = [];
  const posted: Message[] = [];
  const handle: Handle = ({ method, json: message }, response, { url = "" }) => {
    if (method === "GET") {
      streams.push(response);
      response.writeHead(200, stream).write(`event: endpoint\ndata: ${endpoint}\n\n`);
      return;
    }
    if (!url.startsWith("/messages")) {
      response.writeHead(404).end("Cannot POST /mcp");
      return;
    }
    const said = message as Message;
    posted.push(said);
    const status = accept?.(said) ?? 202;
    response.writeHead(status).end(status === 202 ? "Accepted" : "no");
    const say = streams.at(-1);
    if (say === undefined || status !== 202) return;
    if (said["method"] === "initialize") say.write(sseOf({ jsonrpc: "2.0", id: said["id"], result: agreed }));
    else if (said["id"] !== undefined) ask?.(said, say);
  };
  return { handle, streams, posted };
}

/** Begins an event and goes on until it is no longer read. */
function flood(response: ServerResponse): void {
  if (!response.destroyed) response.write("data: ".padEnd(65_536, "x"), () => setImmediate(flood, response));
}

const answer = ({ id }: Message, say: ServerResponse): void =>
  void say.write(sseOf({ jsonrpc: "2.0", id, result: { content: [] } }));

/** A client that has greeted the server. */
async function greeted(script: OldScript, options: Parameters<typeof connect>[1] = {}) {
  const server = oldServer(script);
  const client = await connect(server.handle, options);
  client.send(initialize);
  await expect.poll(() => client.heard.length, quick).toBe(1);
  client.send({ method: "notifications/initialized" });
  return { ...client, ...server };
}

async function last(heard: readonly Message[], count: number): Promise<Message> {
  await expect.poll(() => heard.length, quick).toBe(count);
  return heard.at(-1) as Message;
}

describe("a server that speaks HTTP+SSE", () => {
  it("is found out by its refusal of the greeting, and answers like any other", async () => {
    const { heard, send, server, posted } = await greeted({ ask: answer });
    send(call);
    expect(heard[0]).toMatchObject({ id: 0, result: agreed });
    expect(await last(heard, 2)).toMatchObject({
      id: 1,
      result: { content: [] },
    });
    expect(server.heard.map(({ method }) => method).slice(0, 3)).toEqual(["POST", "GET", "POST"]);
    expect(posted.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
  });

  it("is not asked first if it was said what it speaks", async () => {
    const { server } = await greeted({}, { transport: "sse" });
    expect(server.heard.map(({ method }) => method).slice(0, 2)).toEqual(["GET", "POST"]);
  });

  it("stays unused if it was said that it speaks Streamable HTTP", async () => {
    const { handle, streams } = oldServer({});
    const { send, first } = await connect(handle, { transport: "http" });
    send(initialize);
    expect((await first()).error?.message).toContain("HTTP 404");
    expect(streams).toEqual([]);
  });

  it("gets the operator's headers with its stream and with each message", async () => {
    const headers = {
      Authorization: "Bearer of-the-operator",
      "X-Team": "blue",
    };
    const { server } = await greeted({}, { headers });
    await expect.poll(() => server.heard.length, quick).toBeGreaterThan(3);
    for (const { headers: got } of server.heard)
      expect(got).toMatchObject({
        authorization: "Bearer of-the-operator",
        "x-team": "blue",
      });
    expect(server.heard.some((one) => one.headers["mcp-session-id"] !== undefined)).toBe(false);
  });

  it("speaks first: its requests and notifications reach the client in their order", async () => {
    const { heard, streams, send, posted } = await greeted({});
    await expect.poll(() => posted.length, quick).toBe(2);
    streams[0]?.write(sseOf({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
    streams[0]?.write(sseOf({ jsonrpc: "2.0", id: "s1", method: "ping" }));
    await last(heard, 3);
    expect(heard.slice(1).map(({ method }) => method)).toEqual(["notifications/tools/list_changed", "ping"]);
    send({ id: "s1", result: {} });
    await expect.poll(() => posted.at(-1), quick).toMatchObject({ id: "s1", result: {} });
  });

  it("sends progress before the answer, on the way of that call", async () => {
    const ask = ({ id }: Message, say: ServerResponse): void => {
      for (const progress of [1, 2])
        say.write(
          sseOf({
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken: "t", progress },
          }),
        );
      answer({ id }, say);
    };
    const { heard, send } = await greeted({ ask });
    send({
      ...call,
      params: { ...call.params, _meta: { progressToken: "t" } },
    });
    await last(heard, 4);
    expect(heard.slice(1).map(({ method, id }) => method ?? id)).toEqual([
      "notifications/progress",
      "notifications/progress",
      1,
    ]);
  });

  it("lets in who signs in, when its stream asks for that", async () => {
    const { handle } = oldServer({ ask: answer });
    const server = await serveRaw((heard, response, request) => {
      if (heard.headers.authorization === "Bearer new") return handle(heard, response, request);
      return void response.writeHead(heard.method === "GET" ? 401 : 405).end();
    });
    let shown: string | undefined;
    const asked: boolean[] = [];
    const upstream = openHttpUpstream(
      "raw",
      { url: server.url },
      {
        signInOf: () => ({
          credentials: {
            header: () => shown,
            ready: () => undefined,
            refused: async ({ isWaitedFor, isSecond }) => {
              asked.push(isWaitedFor);
              shown = "Bearer new";
              return isSecond ? statusFailure({ statusCode: 401, headers: {} }) : undefined;
            },
          },
          attach: () => ({ leave: () => undefined }),
        }),
      },
    );
    open.push(upstream, server);
    const heard: Message[] = [];
    const link = upstream.connect({ principal: "local" });
    link.listen({
      message: (bytes) => void heard.push(JSON.parse(bytes.toString()) as Message),
      oversized: () => undefined,
      closed: () => undefined,
    });
    link.send(JSON.stringify({ jsonrpc: "2.0", ...initialize }));
    expect(await last(heard, 1)).toMatchObject({ result: agreed });
    expect(asked).toEqual([true]);
  });
});

describe("a hostile server that speaks HTTP+SSE", () => {
  it.each([
    ["another port", "http://127.0.0.1:9/messages"],
    ["another host", "//other.example/messages"],
    ["another scheme", "https://127.0.0.1/messages"],
    ["a name and a password", "http://user:pw@127.0.0.1/messages"],
    ["a file", "file:///etc/passwd"],
    ["nothing", ""],
    ["more than an address", `/${"long".repeat(2_000)}`],
  ])("gets no message at an address that is not at its own origin: %s", async (_what, endpoint) => {
    for (const transport of ["auto", "sse"] as const) {
      const { handle, posted } = oldServer({ endpoint });
      const { send, first, server } = await connect(handle, {
        transport,
        startTimeoutMs: 2_000,
      });
      send(initialize);
      const { error } = await first();
      expect(error?.message).toMatch(/names an address for messages that is not at its own origin/);
      expect(error?.data).toEqual({ executed: "no" });
      expect(posted).toEqual([]);
      expect(server.heard.filter(({ method }) => method === "POST").length).toBe(
        transport === "auto" ? 1 : 0,
      );
    }
  });

  it("has a limit of time to name the address, and what it says before is dropped", async () => {
    const { send, first } = await connect(
      (_heard, response) =>
        void response.writeHead(200, stream).write(sseOf({ jsonrpc: "2.0", method: "notifications/x" })),
      { transport: "sse", startTimeoutMs: 200 },
    );
    send(initialize);
    const { error } = await first();
    expect(error?.message).toMatch(/did not name an address for messages in 200 ms/);
    expect(error?.data).toEqual({ executed: "no" });
  });

  it.each([
    ["ends its stream", (response: ServerResponse) => void response.end()],
    ["breaks it off", (response: ServerResponse) => void response.destroy()],
    ["sends an event that never ends", (response: ServerResponse) => flood(response)],
  ])("is not waited for if it %s before it has named the address", async (_what, does) => {
    const { send, first } = await connect(
      (_heard, response) => {
        response.writeHead(200, stream).flushHeaders();
        setImmediate(() => does(response));
      },
      { transport: "sse", maxMessageBytes: 65_536 },
    );
    send(initialize);
    expect((await first()).error?.data).toEqual({ executed: "no" });
  });

  it("loses its stream with an event that never ends, and not the others' answers", async () => {
    const ask = (message: Message, say: ServerResponse): void => {
      if (message.id === 2) return answer(message, say);
      flood(say);
    };
    const { heard, send } = await greeted({ ask }, { maxMessageBytes: 65_536 });
    send(call);
    const { error } = await last(heard, 2);
    expect(error?.data).toEqual({ executed: "unknown" });
    send({ ...call, id: 2 });
    expect(await last(heard, 3)).toMatchObject({
      id: 2,
      result: { content: [] },
    });
  });

  it("has an answer over the limit dropped, and is heard again after it", async () => {
    const ask = (message: Message, say: ServerResponse): void => {
      if (message.id === 2) return answer(message, say);
      const content = [{ type: "text", text: "x".repeat(100_000) }];
      say.write(sseOf({ jsonrpc: "2.0", id: message.id, result: { content } }));
    };
    const { oversized, heard, send } = await greeted({ ask }, { maxMessageBytes: 65_536 });
    send(call);
    await expect.poll(() => oversized.length, quick).toBe(1);
    expect(oversized[0]).toMatchObject({ rawId: "1", isResponse: true });
    send({ ...call, id: 2 });
    expect(await last(heard, 2)).toMatchObject({
      id: 2,
      result: { content: [] },
    });
  });

  it("says nothing true with answers that were not asked for", async () => {
    const ask = (message: Message, say: ServerResponse): void => {
      for (const text of ['{"jsonrpc":"2.0","id":7,"result":{}}', "[]", "null", "{", '{"id":{}}', '"x"'])
        say.write(`data: ${text}\n\n`);
      say.write("event: endpoint\ndata: http://other.example/\n\n");
      answer(message, say);
      answer(message, say);
    };
    const { heard, send } = await greeted({ ask });
    send(call);
    send({ ...call, id: 2 });
    expect(await last(heard, 3)).toMatchObject({
      id: 2,
      result: { content: [] },
    });
    expect(heard.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  it("is no server of the old transport if its GET gives anything else", async () => {
    const { send, first } = await connect(({ method }, response) => {
      if (method === "GET") return void response.writeHead(200, json).end("{}");
      return void response.writeHead(405).end();
    });
    send(initialize);
    const { error } = await first();
    expect(error?.message).toContain("HTTP 405");
    expect(error?.data).toEqual({ executed: "no" });
  });
});

describe("a stream of HTTP+SSE that is cut", () => {
  it("leaves it unknown whether the call was run, and the next call is made in a session like the first", async () => {
    const ask = (message: Message, say: ServerResponse): void => {
      if (message["method"] === "logging/setLevel" || message.id === 3) answer(message, say);
      else if (message.id === 2) say.destroy();
    };
    const { heard, send, posted, streams } = await greeted({ ask });
    send({ id: 1, method: "logging/setLevel", params: { level: "debug" } });
    await last(heard, 2);
    send({ ...call, id: 2 });
    const { error } = await last(heard, 3);
    expect(error?.data).toEqual({ executed: "unknown" });
    send({ ...call, id: 3 });
    expect(await last(heard, 4)).toMatchObject({
      id: 3,
      result: { content: [] },
    });
    expect(streams).toHaveLength(2);
    const session = ["initialize", "notifications/initialized", "logging/setLevel", "tools/call"];
    expect(posted.map(({ method }) => method)).toEqual([...session, ...session]);
  });

  it("is opened again for what the server says by itself", async () => {
    const { heard, streams, posted } = await greeted({});
    await expect.poll(() => posted.length, quick).toBe(2);
    streams[0]?.destroy();
    await vi.waitFor(() => expect(streams).toHaveLength(2), {
      timeout: 10_000,
    });
    await expect.poll(() => posted.length, quick).toBe(4);
    streams[1]?.write(sseOf({ jsonrpc: "2.0", method: "notifications/message" }));
    expect(await last(heard, 2)).toMatchObject({
      method: "notifications/message",
    });
  });

  it("fails messages while the server is away, which have not run", async () => {
    const { heard, send, server, streams, posted } = await greeted({});
    await expect.poll(() => posted.length, quick).toBe(2);
    await server.close();
    streams[0]?.destroy();
    // The first may be on its way before the cut is noticed.
    send(call);
    await last(heard, 2);
    send({ ...call, id: 2 });
    const { error } = await last(heard, 3);
    expect(error?.data).toEqual({ executed: "no" });
  });

  it("ends with the client", async () => {
    const { link, streams } = await greeted({});
    link.close();
    await expect.poll(() => streams[0]?.destroyed, quick).toBe(true);
  });
});
