/* oxlint-disable unicorn/prefer-add-event-listener -- MCP transports have no other way to listen */
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { type OpenSession, hookTransport } from "./hook-transport.ts";

type Listener = (message: unknown, extra?: unknown) => void;

class MemoryTransport {
  onmessage: Listener | undefined;
  onclose: (() => void) | undefined;
  sessionId: string | undefined;
  readonly sent: unknown[] = [];
  isDelivering = false;
  readonly sentWhileDelivering: unknown[] = [];

  async send(message: unknown): Promise<void> {
    (this.isDelivering ? this.sentWhileDelivering : this.sent).push(message);
  }
  deliver(message: unknown, extra?: unknown): void {
    this.isDelivering = true;
    this.onmessage?.(message, extra);
    this.isDelivering = false;
  }
}

/** Like those of the SDKs' HTTP transports for Node, whose listener lives in another object. */
class DelegatingTransport {
  readonly inner = new MemoryTransport();
  get onmessage(): Listener | undefined {
    return this.inner.onmessage;
  }
  set onmessage(listener: Listener | undefined) {
    this.inner.onmessage = listener;
  }
  send(message: unknown): Promise<void> {
    return this.inner.send(message);
  }
}

interface TransportLike {
  onmessage?: Listener | undefined;
  onclose?: (() => void) | undefined;
  send(message: unknown): Promise<void>;
}

/** As the SDKs connect: what listened before is heard first. */
class SdkServer {
  readonly heard: unknown[] = [];
  transport: TransportLike | undefined;

  async connect(transport: TransportLike): Promise<void> {
    this.transport = transport;
    const before = transport.onmessage;
    transport.onclose = () => undefined;
    transport.onmessage = (message, extra) => {
      before?.(message, extra);
      this.heard.push(message);
    };
  }
  reply(id: number, result: JsonObject = {}): Promise<void> {
    return this.transport?.send({ jsonrpc: "2.0", id, result }) ?? Promise.resolve();
  }
}

function request(id: number | string, method = "tools/call", params: JsonObject = { name: "a" }): JsonObject {
  return { jsonrpc: "2.0", id, method, params };
}

const mark = (response: JsonObject): JsonObject => ({ ...response, marked: true });

type Session = ReturnType<OpenSession>;

/** A session that forwards everything, but for what a test wants of it. */
function session(more: Partial<Session> = {}): Session {
  return {
    request: () => "forward",
    notified: () => undefined,
    response: (response) => response,
    told: (message) => message,
    clientIdOf: (id) => id,
    closed: () => undefined,
    ...more,
  };
}

async function connect(more: Partial<Session>, transport = new MemoryTransport()) {
  const server = new SdkServer();
  hookTransport(server, {}, () => session(more));
  await server.connect(transport);
  return { server, transport };
}

describe("hookTransport", () => {
  it("shows a session every response, and no request or notification of the server", async () => {
    const { server, transport } = await connect({ response: mark });
    transport.deliver(request(1));
    await transport.send(request(2, "sampling/createMessage"));
    await transport.send({ jsonrpc: "2.0", method: "notifications/progress" });
    await server.reply(1);
    expect(transport.sent.map((message) => "marked" in (message as object))).toEqual([false, false, true]);
  });

  it("drops a response that the session answers elsewhere", async () => {
    const { server, transport } = await connect({ response: () => undefined });
    await server.reply(1);
    expect(transport.sent).toEqual([]);
  });

  it("sends the session's own answer, and keeps the request from the server", async () => {
    const answer = { jsonrpc: "2.0", id: 1, result: { own: true } };
    const { server, transport } = await connect({ request: () => Promise.resolve(answer) });
    transport.deliver(request(1));
    await Promise.resolve();
    await Promise.resolve();
    expect(transport.sent).toEqual([answer]);
    expect(server.heard).toEqual([]);
  });

  it("sends nothing where the session has no answer", async () => {
    const { transport } = await connect({ request: () => Promise.resolve(undefined) });
    transport.deliver(request(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(transport.sent).toEqual([]);
  });

  it("hands over what the transport gives beside a message, and its session", async () => {
    const seen: unknown[] = [];
    const transport = new MemoryTransport();
    const { server } = await connect(
      {
        request: (_message, handover) => {
          seen.push(handover);
          return "forward";
        },
      },
      Object.assign(transport, { sessionId: "s-1" }),
    );
    transport.deliver(request(1), { authInfo: { clientId: "c" } });
    expect(seen).toEqual([{ extra: { authInfo: { clientId: "c" } }, sessionId: "s-1" }]);
    expect(server.heard).toHaveLength(1);
  });

  it("tells the session of notifications before the server hears them", async () => {
    const order: string[] = [];
    const { server, transport } = await connect({ notified: () => void order.push("session") });
    transport.deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(order).toEqual(["session"]);
    expect(server.heard).toHaveLength(1);
  });

  it("tells the session that the connection was closed", async () => {
    let isClosed = false;
    const { transport } = await connect({ closed: () => void (isClosed = true) });
    transport.onclose?.();
    expect(isClosed).toBe(true);
  });

  it("sends what is ready while the transport still delivers", async () => {
    const transport = new MemoryTransport();
    const server = new SdkServer();
    hookTransport(server, {}, ({ toServer }) =>
      session({
        request: (message, handover) => {
          toServer(message, handover);
          void server.reply(1);
          return Promise.resolve(undefined);
        },
        response: mark,
      }),
    );
    await server.connect(transport);
    transport.deliver(request(1));
    expect(transport.sentWhileDelivering).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });

  it("answers with an internal error when the session fails, and tells the SDK", async () => {
    const { server, transport } = await connect({
      response: () => Promise.reject(new Error("secret path /etc/passwd")),
    });
    transport.deliver(request(1));
    await expect(server.reply(1)).rejects.toThrow("secret path");
    expect(transport.sent).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
    ]);
  });

  it("relates what belongs to an id of ours to the one the client knows", async () => {
    const options: unknown[] = [];
    const transport = new MemoryTransport();
    transport.send = async (_message: unknown, given?: unknown) => void options.push(given);
    const { transport: hooked } = await connect({ clientIdOf: (id) => (id === "ours" ? 7 : id) }, transport);
    const progress = { jsonrpc: "2.0", method: "notifications/progress" };
    await (hooked.send as (message: unknown, given: unknown) => Promise<void>)(progress, {
      relatedRequestId: "ours",
    });
    expect(options).toEqual([{ relatedRequestId: 7 }]);
  });

  it("hears a transport whose listener lives in another object", async () => {
    const transport = new DelegatingTransport();
    const server = new SdkServer();
    hookTransport(server, {}, () => session({ response: mark }));
    await server.connect(transport);
    transport.inner.deliver(request(1));
    expect(server.heard).toEqual([request(1)]);
    await server.reply(1);
    expect(transport.inner.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });

  it("gives the SDK's HTTP transport for Node its listener", async () => {
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    const server = new SdkServer();
    hookTransport(server, {}, () => session());
    await server.connect(transport as unknown as TransportLike);
    const inner = Reflect.get(transport, "_webStandardTransport") as TransportLike;
    inner.onmessage?.(request(1));
    expect(server.heard).toEqual([request(1)]);
  });

  it("keeps the listener that was there before the server connected", async () => {
    const transport = new MemoryTransport();
    const heard: unknown[] = [];
    transport.onmessage = (message) => heard.push(message);
    const { server } = await connect({ response: mark }, transport);
    transport.deliver(request(1));
    expect(heard).toEqual([request(1)]);
    expect(server.heard).toEqual([request(1)]);
  });

  it("finds the inner server of a high-level one", async () => {
    const server = new SdkServer();
    hookTransport({ server }, {}, () => session({ response: mark }));
    const transport = new MemoryTransport();
    await server.connect(transport);
    transport.deliver(request(1));
    await server.reply(1);
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });
});
