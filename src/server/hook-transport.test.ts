/* oxlint-disable unicorn/prefer-add-event-listener -- MCP transports have no other way to listen */
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { type TransportHook, hookTransport } from "./hook-transport.ts";

type Listener = (message: unknown, extra?: unknown) => void;

class MemoryTransport {
  onmessage: Listener | undefined;
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
  send(message: unknown): Promise<void>;
}

/** As the SDKs connect: what listened before is heard first. */
class SdkServer {
  readonly heard: unknown[] = [];
  transport: TransportLike | undefined;

  async connect(transport: TransportLike): Promise<void> {
    this.transport = transport;
    const before = transport.onmessage;
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

const mark = (_request: JsonObject, response: JsonObject): JsonObject => ({ ...response, marked: true });

async function connect(hook: TransportHook, transport = new MemoryTransport()) {
  const server = new SdkServer();
  hookTransport(server, hook);
  await server.connect(transport);
  return { server, transport };
}

describe("hookTransport", () => {
  it.each(["tools/call", "tools/list", "tasks/result", "tasks/get"])(
    "sees the response to %s",
    async (method) => {
      const { server, transport } = await connect({ response: mark });
      transport.deliver(request(1, method));
      await server.reply(1);
      expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
    },
  );

  it("leaves the responses to other methods, requests and notifications alone", async () => {
    const { server, transport } = await connect({ response: mark });
    transport.deliver(request(1, "resources/read"));
    await server.reply(1);
    transport.deliver(request(2));
    await transport.send(request(2, "sampling/createMessage"));
    await transport.send({ jsonrpc: "2.0", method: "notifications/progress" });
    expect(transport.sent.filter((message) => "marked" in (message as object))).toEqual([]);
    await server.reply(2);
    expect(transport.sent.at(-1)).toHaveProperty("marked", true);
  });

  it("tells the numeric id 1 from the text 1, and answers each request once", async () => {
    const seen: unknown[] = [];
    const { server, transport } = await connect({
      response: ({ params }, response) => {
        seen.push(params);
        return response;
      },
    });
    transport.deliver(request(1, "tools/call", { name: "number" }));
    transport.deliver(request("1", "tools/call", { name: "text" }));
    await server.reply(1);
    await server.reply(1);
    expect(seen).toEqual([{ name: "number" }]);
  });

  it("hands the transport's own facts on", async () => {
    const seen: unknown[] = [];
    const { server, transport } = await connect({
      receive: (_message, deliver, handover) => {
        seen.push(handover);
        deliver();
      },
      response: (_request, response, handover) => {
        seen.push(handover);
        return response;
      },
    });
    const extra = { authInfo: { clientId: "c" } };
    transport.sessionId = "s-1";
    transport.deliver(request(1), extra);
    transport.sessionId = "s-2";
    await server.reply(1);
    // The session is that of the message, whatever the transport is used for meanwhile.
    expect(seen).toEqual([
      { extra, sessionId: "s-1" },
      { extra, sessionId: "s-1" },
    ]);
    expect(server.heard).toHaveLength(1);
  });

  it("forgets a cancelled request", async () => {
    const { server, transport } = await connect({ response: mark });
    transport.deliver(request(1));
    transport.deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await server.reply(1);
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(server.heard).toHaveLength(2);
  });

  it("sends what is ready while the transport still delivers", async () => {
    const { server, transport } = await connect({
      receive: (_message, deliver) => {
        deliver();
        void server.reply(1);
      },
      response: mark,
    });
    transport.deliver(request(1));
    expect(transport.sentWhileDelivering).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });

  it("answers with an internal error when the hook fails, and tells the SDK", async () => {
    const { server, transport } = await connect({
      response: () => Promise.reject(new Error("secret path /etc/passwd")),
    });
    transport.deliver(request(1));
    await expect(server.reply(1)).rejects.toThrow("secret path");
    expect(transport.sent).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
    ]);
  });

  it("hears a transport whose listener lives in another object", async () => {
    const transport = new DelegatingTransport();
    const server = new SdkServer();
    hookTransport(server, { response: mark });
    await server.connect(transport);
    transport.inner.deliver(request(1));
    expect(server.heard).toEqual([request(1)]);
    await server.reply(1);
    expect(transport.inner.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });

  it("gives the SDK's HTTP transport for Node its listener", async () => {
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    const server = new SdkServer();
    hookTransport(server, {});
    await server.connect(transport as unknown as TransportLike);
    const inner = Reflect.get(transport, "_webStandardTransport") as TransportLike;
    inner.onmessage?.(request(1));
    expect(server.heard).toEqual([request(1)]);
  });

  it("lets two hooks see the same traffic, in the order they came", async () => {
    const order: string[] = [];
    const named = (name: string): TransportHook => ({
      response: (_request, response) => {
        order.push(name);
        return response;
      },
    });
    const server = new SdkServer();
    hookTransport(server, named("first"));
    hookTransport(server, named("second"));
    const transport = new MemoryTransport();
    await server.connect(transport);
    transport.deliver(request(1));
    await server.reply(1);
    expect(server.heard).toHaveLength(1);
    expect(order).toEqual(["first", "second"]);
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
    hookTransport({ server }, { response: mark });
    const transport = new MemoryTransport();
    await server.connect(transport);
    transport.deliver(request(1));
    await server.reply(1);
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: {}, marked: true }]);
  });
});
