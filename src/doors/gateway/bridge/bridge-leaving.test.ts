// What happens when one of the two sides is gone: for a while, for good, or for sending only.

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import { answersOf, bridgeTo, call, serving } from "./bridge.fixture.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";
import { openBridge } from "./bridge.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { StreamLink } from "../../../engine/transport/stream-link.ts";

describe("a server that is away", () => {
  it("leaves no caller waiting, is not asked meanwhile, and the first result afterwards says that it is new", async () => {
    const { client, server, tell } = bridgeTo((message, raw) =>
      server.heard.length > 3 || message["method"] === "tools/list"
        ? serving('{"content":[{"type":"text","text":"3"}]}')(message, raw)
        : undefined,
    );
    client.send(call("1"));
    client.send('{"jsonrpc":"2.0","id":2,"method":"prompts/list"}');
    await until(() => server.heard.length === 3);
    tell((listener) =>
      listener.interrupted?.({ reason: "the server stopped (exit code 1)", retryInMs: 900 }),
    );
    client.send(call("3"));
    client.send('{"jsonrpc":"2.0","id":4,"method":"prompts/list"}');
    await until(() => client.heard.length === 4);
    const byId = new Map(answersOf(client.heard).map((each) => [each["id"], each]));
    for (const [id, executed] of [
      [1, "unknown"],
      [3, "no"],
    ])
      expect(byId.get(id ?? null)).toMatchObject({
        result: {
          structuredContent: {
            data: { error_code: "UNAVAILABLE", retry_after_seconds: 1, details: { executed } },
          },
        },
      });
    for (const id of [2, 4])
      expect(byId.get(id)).toMatchObject({ error: { code: -32000, data: { retry_after_seconds: 1 } } });
    expect(server.heard).toHaveLength(3);
    tell((listener) => listener.restored?.());
    client.send(call("5"));
    client.send(call("6"));
    await until(() => client.heard.length === 6);
    const codes = client.heardRaw.slice(4).map((raw) => raw.includes("UPSTREAM_RESTARTED"));
    expect(codes.filter(Boolean)).toHaveLength(1);
  });

  it("for good closes the client's side once everybody is answered", async () => {
    const { client, server, closedBecause } = bridgeTo((message, raw) =>
      message["method"] === "tools/list" ? serving("{}")(message, raw) : undefined,
    );
    client.send(call("1"));
    client.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    await until(() => server.heard.length === 3);
    server.close();
    await until(() => client.closedBy !== undefined);
    expect(new Set(answersOf(client.heard).map(({ id }) => id))).toEqual(new Set([1, 2]));
    expect(client.heard).toHaveLength(2);
    expect(closedBecause()).toBeDefined();
  });
});

describe("a client that leaves", () => {
  it("closes the server's side, which hears that its call is cancelled", async () => {
    const { client, server } = bridgeTo((message, raw) =>
      message["method"] === "tools/list" ? serving("{}")(message, raw) : undefined,
    );
    client.send(call("1"));
    await until(() => server.heard.length === 2);
    client.close();
    await until(() => server.closedBy !== undefined);
    expect(server.heard.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
  });

  it("cancels a forwarded request, whose late answer goes nowhere", async () => {
    const { client, server } = bridgeTo(() => undefined);
    client.send('{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}');
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    await until(() => server.heard.length === 2);
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await turns();
    expect(client.heard).toEqual([]);
  });
});

describe("a client that sends nothing more", () => {
  it("still gets the answers to what it asked, and then both sides close", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const [toServer, server] = linkPair();
    let closed = "";
    openBridge({
      state: createState({ logLevel: "silent", dialect: "response-v2" }),
      client: new StreamLink({ input, output, outlivesInput: true }),
      upstream: toServer,
      onClose: (why) => (closed = why),
    });
    server.listen({ message: () => undefined, oversized: () => undefined, closed: () => undefined });
    input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"prompts/list"}\n');
    await until(() => server.heard.length === 2);
    expect(closed).toBe("");
    server.send('{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}');
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await until(() => closed !== "");
    const lines = String(output.read()).trim().split("\n");
    expect(lines).toEqual([
      '{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]);
    expect(closed).toBe("the client left");
  });
});
