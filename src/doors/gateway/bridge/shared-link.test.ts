import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Link } from "../../../engine/transport/link.ts";
import { type LinkEnd, linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { SharedLink } from "./shared-link.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

interface Client {
  readonly link: Link;
  readonly heard: string[];
  readonly told: string[];
}

function join(shared: SharedLink): Client {
  const heard: string[] = [];
  const told: string[] = [];
  const link = shared.share();
  link.listen({
    message: (bytes) => heard.push(bytes.toString()),
    oversized: ({ rawId }) => told.push(`oversized ${rawId}`),
    closed: (why) => told.push(`closed: ${why}`),
    interrupted: ({ reason }) => told.push(`interrupted: ${reason}`),
    restored: () => told.push("restored"),
  });
  return { link, heard, told };
}

function open(): { readonly shared: SharedLink; readonly server: LinkEnd; readonly notes: string[] } {
  const [ours, server] = linkPair();
  const notes: string[] = [];
  const shared = new SharedLink(ours, {
    onClosed: () => notes.push("closed"),
    note: (text) => notes.push(text),
  });
  return { shared, server, notes };
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) await turn();
}

function idOf(message: unknown): number {
  return (message as { id: number }).id;
}

describe("SharedLink", () => {
  it("gives each request a number of its own and answers under the text of the id it came with", async () => {
    const { shared, server } = open();
    const [first, second] = [join(shared), join(shared)];
    first.link.send('{"jsonrpc":"2.0","id":12345678901234567890,"method":"a","params":{"n":1.0}}');
    second.link.send('{"method":"b","params":{"x":"id"},"jsonrpc":"2.0","id":"é"}');
    await settle();
    expect(server.heardRaw).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"n":1.0}}',
      '{"method":"b","params":{"x":"id"},"jsonrpc":"2.0","id":2}',
    ]);
    server.send('{"result":{"n":1.0,"id":5},"jsonrpc":"2.0","id":2}');
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await settle();
    expect(first.heard).toEqual(['{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}']);
    expect(second.heard).toEqual(['{"result":{"n":1.0,"id":5},"jsonrpc":"2.0","id":"é"}']);
  });

  it("brings progress to the request whose token it names, under that token", async () => {
    const { shared, server } = open();
    const [first, second] = [join(shared), join(shared)];
    const ask =
      '{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":0}}}';
    first.link.send(ask);
    second.link.send(ask.replace('"progressToken":0', '"progressToken":"mine"'));
    await settle();
    const [one, two] = server.heard.map(idOf);
    expect(server.heardRaw[1]).toContain(`"progressToken":${two}`);
    server.send(
      `{"method":"notifications/progress","params":{"progressToken":${two},"progress":1},"jsonrpc":"2.0"}`,
    );
    server.send(
      `{"method":"notifications/progress","params":{"progressToken":${one},"progress":2},"jsonrpc":"2.0"}`,
    );
    server.send(
      '{"method":"notifications/progress","params":{"progressToken":99,"progress":3},"jsonrpc":"2.0"}',
    );
    await settle();
    expect(first.heard.map((text) => (JSON.parse(text) as { params: object }).params)).toEqual([
      { progressToken: 0, progress: 2 },
    ]);
    expect(second.heard.map((text) => (JSON.parse(text) as { params: object }).params)).toEqual([
      { progressToken: "mine", progress: 1 },
    ]);
  });

  it("cancels by the number that the server knows, and nothing of another client", async () => {
    const { shared, server } = open();
    const [first, second] = [join(shared), join(shared)];
    first.link.send('{"jsonrpc":"2.0","id":4,"method":"a"}');
    second.link.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}');
    first.link.send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"enough"}}',
    );
    await settle();
    expect(server.heard).toEqual([
      { jsonrpc: "2.0", id: 1, method: "a" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } },
    ]);
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await settle();
    expect(first.heard).toEqual([]);
  });

  it("cancels what a client still waits for when it leaves, and drops the late answer", async () => {
    const { shared, server, notes } = open();
    const { link, heard } = join(shared);
    link.send('{"jsonrpc":"2.0","id":4,"method":"a"}');
    link.close();
    await settle();
    expect(server.heard.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await settle();
    expect(heard).toEqual([]);
    expect(notes).toEqual(["dropped an answer to no open request (id 1)"]);
    expect(shared.size).toBe(0);
  });

  it("keeps subscriptions apart", async () => {
    const { shared, server } = open();
    const [first, second] = [join(shared), join(shared)];
    const listen = '{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{}}}';
    first.link.send(listen);
    second.link.send(listen.replace(":7", ':"seven"'));
    await settle();
    const news = (id: number): string =>
      JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { [SUBSCRIPTION]: id } },
      });
    server.send(news(2));
    server.send(news(1));
    server.send(JSON.stringify({ jsonrpc: "2.0", id: 2, result: { _meta: { [SUBSCRIPTION]: 2 } } }));
    server.send(news(2));
    await settle();
    expect(first.heard.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { [SUBSCRIPTION]: 7 } },
      },
    ]);
    expect(second.heard.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { [SUBSCRIPTION]: "seven" } },
      },
      { jsonrpc: "2.0", id: "seven", result: { _meta: { [SUBSCRIPTION]: "seven" } } },
    ]);
  });

  it("delivers a log message only where one request alone can have caused it", async () => {
    const { shared, server } = open();
    const [first, second] = [join(shared), join(shared)];
    const ask = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"a","params":{"_meta":{"io.modelcontextprotocol/logLevel":"info"}}}`;
    const log = '{"method":"notifications/message","params":{"level":"info","data":"x"},"jsonrpc":"2.0"}';
    first.link.send(ask(1));
    second.link.send('{"jsonrpc":"2.0","id":1,"method":"a"}');
    await settle();
    server.send(log);
    await settle();
    second.link.send(ask(2));
    await settle();
    server.send(log);
    server.send('{"method":"notifications/resources/updated","params":{"uri":"x"},"jsonrpc":"2.0"}');
    await settle();
    expect([first.heard, second.heard]).toEqual([[log], []]);
  });

  it("answers a server that asks, since no client would", async () => {
    const { shared, server, notes } = open();
    join(shared);
    server.send('{"method":"roots/list","jsonrpc":"2.0","id":"r1"}');
    server.send("Server is running");
    server.send(String.raw`{"jsonrpc":"2.0","method":"notifications/message","\x":1}`);
    await settle();
    expect(server.heard).toMatchObject([{ id: "r1", error: { code: -32601 } }]);
    expect(notes).toEqual(['dropped a line that is no message: "Server is running"']);
  });

  it("names the request of an answer that was too long, and tells every client that the server is gone", async () => {
    const { shared, server, notes } = open();
    const [first, second] = [join(shared), join(shared)];
    first.link.send('{"jsonrpc":"2.0","id":"big","method":"a"}');
    await settle();
    server.sendOversized({ bytes: 5, rawId: "1", isResponse: true });
    await settle();
    server.close();
    await settle();
    expect(first.told).toEqual(['oversized "big"', "closed: the other end closed"]);
    expect(second.told).toEqual(["closed: the other end closed"]);
    expect(notes).toEqual(["closed"]);
    expect(join(shared).link).toBeDefined();
  });
});
