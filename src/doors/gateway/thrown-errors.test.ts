import { afterEach, describe, expect, it } from "vitest";
import { bridgeTo } from "./bridge/bridge.fixture.ts";
import { memoryUpstream, openGateway } from "./bridge/http-gateway.fixture.ts";
import { greeting, send } from "./bridge/raw-http.fixture.ts";

const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("what is thrown while one message is handled", () => {
  it("is an error for the client that sent it, and the next message is served", async () => {
    let isBroken = true;
    const handover = () => {
      if (isBroken) throw new RangeError("Maximum call stack size exceeded");
      return { extra: undefined, sessionId: undefined };
    };
    const { bridge, client, notes } = bridgeTo(
      ({ id }) => ({ jsonrpc: "2.0", id: id ?? null, result: {} }),
      {},
      { handover },
    );
    opened.push(() => bridge.close());
    client.send(JSON.stringify(ping(1)));
    await expect.poll(() => client.heard.length).toBe(1);
    isBroken = false;
    client.send(JSON.stringify(ping(1)));
    await expect.poll(() => client.heard.length).toBe(2);
    expect(client.heard).toMatchObject([
      { id: 1, error: { code: -32603, message: "Internal error" } },
      { id: 1, result: {} },
    ]);
    expect(notes).toEqual(["could not handle a message: RangeError: Maximum call stack size exceeded"]);
  });

  it("leaves out one message of the server", async () => {
    const handover = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const { bridge, client, server, notes } = bridgeTo(() => undefined, {}, { handover });
    opened.push(() => bridge.close());
    server.send(
      '[{"jsonrpc":"2.0","method":"notifications/tasks"},{"jsonrpc":"2.0","method":"notifications/a"}]',
    );
    await expect.poll(() => client.heard.length).toBe(1);
    expect(client.heard).toMatchObject([{ method: "notifications/a" }]);
    expect(notes).toHaveLength(1);
  });

  it("is a 500 over HTTP, and a line in the log", async () => {
    const notes: string[] = [];
    const upstream = memoryUpstream(() => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    const gateway = await openGateway(upstream, { http: { note: (text) => notes.push(text) } });
    opened.push(gateway.close);
    for (const _again of [1, 2]) {
      const { status, body } = await send(gateway.url, { body: JSON.stringify(greeting) });
      expect([status, JSON.parse(body)]).toMatchObject([500, { error: { code: -32603 } }]);
    }
    expect(notes[0]).toBe("a request could not be served: RangeError: Maximum call stack size exceeded");
  });
});
