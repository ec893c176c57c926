import { type TestContext, describe, expect, it } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { createState } from "../../../engine/call/contract-state.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { until } from "../../../engine/transport/until.fixture.ts";
import { type Handle, serveRaw, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, serveProxy } from "../reverse-proxy/proxy-http.fixture.ts";
import { childUpstream } from "../upstream/child-upstream.ts";
import { openHttpUpstream } from "../upstream/http-upstream.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { openBridge } from "./bridge.ts";
import { openGateway } from "./http-gateway.fixture.ts";
import { modern, send as post } from "./raw-http.fixture.ts";

/**
 * A server that knows its greeting and `heard`, which gives back the methods that it has heard, and ignores every
 * other request. `server/discover` it answers after `AFTER` milliseconds, or when it hears `notifications/now`.
 */
const source = String.raw`
const heard = [];
let probe;
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
const discover = () => { answer(probe, { supportedVersions: ["2026-07-28"], capabilities: {}, late: true }); };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  heard.push(method);
  if (method === "initialize") answer(id, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "old", version: "1" } });
  if (method === "heard") answer(id, { heard });
  if (method === "notifications/now") discover();
  if (method !== "server/discover") return;
  probe = id;
  if (process.env.AFTER) setTimeout(discover, Number(process.env.AFTER));
}).on("close", () => process.exit(0));
`;

function serverAnswering(afterMs?: number): Upstream {
  const env = afterMs === undefined ? {} : { AFTER: String(afterMs) };
  return childUpstream("old", { command: process.execPath, args: ["-e", source], env });
}

/** A client on stdio in front of a server. */
function connect(upstream: Upstream, { onTestFinished }: TestContext) {
  const [client, toClient] = linkPair();
  const notes: string[] = [];
  openBridge({
    state: createState({ logLevel: "silent" }),
    client: toClient,
    upstream: upstream.connect({ principal: "local" }),
    note: (text) => notes.push(text),
  });
  onTestFinished(async () => {
    client.close();
    await upstream.close();
  });
  const request = async (id: number | string, method: string): Promise<unknown> => {
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: {} }));
    const isIt = (message: unknown): boolean => (message as { readonly id?: unknown }).id === id;
    await until(() => client.heard.some(isIt));
    return client.heard.find(isIt);
  };
  const notify = (method: string, params: object = {}): void =>
    client.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  return { client, notes, request, notify };
}

const unknownMethod = { error: { code: -32601, message: expect.stringContaining("Method not found") } };
const discovered = { result: { supportedVersions: ["2026-07-28"] } };

// Side by side, since nearly all of the time is waiting.
describe.concurrent("server/discover to a command", () => {
  it("that ignores it is answered for, and the greeting that follows is the server's", async (test) => {
    const { request, notes } = connect(serverAnswering(), test);
    // The process is up.
    await request("first", "heard");
    expect(await request("probe", "server/discover")).toMatchObject(unknownMethod);
    expect(await request(0, "initialize")).toMatchObject({ result: { serverInfo: { name: "old" } } });
    // The server hears of no cancellation.
    expect(await request(1, "heard")).toMatchObject({
      result: { heard: ["heard", "server/discover", "initialize", "heard"] },
    });
    expect(notes).toEqual([]);
  });

  // A process that has said nothing may still be starting, so its time is five seconds.
  it("that takes more than half a second to start gets its own answer through", async (test) => {
    const { request } = connect(serverAnswering(900), test);
    expect(await request("probe", "server/discover")).toMatchObject(discovered);
  });

  it.runIf(isFullRun)("that never says anything is answered for after five seconds", async (test) => {
    const { request } = connect(serverAnswering(), test);
    expect(await request("probe", "server/discover")).toMatchObject(unknownMethod);
  });

  it("that answers in time gets its own answer through", async (test) => {
    const { request, client } = connect(serverAnswering(20), test);
    // The process is up.
    await request(0, "heard");
    await request("probe", "server/discover");

    expect(client.heard).toMatchObject([{ id: 0 }, { id: "probe", ...discovered }]);
  });

  it("that answers too late is not heard a second time, and leaves no note", async (test) => {
    const { request, notify, client, notes } = connect(serverAnswering(), test);
    await request(0, "heard");
    await request("probe", "server/discover");
    notify("notifications/now");
    await request(1, "heard");
    expect(client.heard).toMatchObject([{ id: 0 }, { id: "probe", ...unknownMethod }, { id: 1 }]);
    expect(notes).toEqual([]);
  });

  it("that is cancelled gets no answer", async (test) => {
    const { request, notify, client } = connect(serverAnswering(), test);
    await request(0, "heard");
    client.send('{"jsonrpc":"2.0","id":"probe","method":"server/discover","params":{}}');
    notify("notifications/cancelled", { requestId: "probe" });
    // Its time begins later than that of the first one.
    await request("second", "server/discover");
    expect(client.heard).toMatchObject([{ id: 0 }, { id: "second" }]);
  });

  it("is the only request that is answered for", async (test) => {
    const { request, client } = connect(serverAnswering(), test);
    await request(0, "heard");
    client.send('{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}');
    client.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    await request("probe", "server/discover");
    expect(client.heard).toMatchObject([{ id: 0 }, { id: "probe" }]);
  });

  it.runIf(isFullRun)(
    "is answered for over HTTP too, with the status of an unknown method",
    async ({ onTestFinished }) => {
      const notes: string[] = [];
      const upstream = serverAnswering();
      const gateway = await openGateway(upstream, { command: { note: (text) => notes.push(text) } });
      onTestFinished(gateway.close);
      const { status, body } = await post(gateway.url, modern("server/discover"));
      expect([status, JSON.parse(body)]).toMatchObject([404, unknownMethod]);
      expect(notes).toEqual([]);
    },
  );
});

const probe = { jsonrpc: "2.0", id: "probe", method: "server/discover", params: {} };
const opensStream: Handle = (_heard, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
};
const answersSlowly: Handle = (_heard, response) => {
  // No response has begun, so the server may only be far away.
  setTimeout(() => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(sseOf({ jsonrpc: "2.0", id: "probe", ...discovered }));
  }, 700);
};

describe("server/discover to a URL", () => {
  it.for([
    ["that opens a stream and says nothing on it is answered for", opensStream, unknownMethod],
    ["that has not begun its response is waited for", answersSlowly, discovered],
  ] as const)("%s", async ([_name, handle, expected], test) => {
    const server = await serveRaw(handle);
    test.onTestFinished(server.close);
    const { request } = connect(openHttpUpstream("old", { url: server.url }), test);
    const { url } = await serveProxy({ url: server.url });
    const proxied = ask(url, { body: probe });
    expect(await request("probe", "server/discover")).toMatchObject(expected);
    const { text } = await proxied.answer;
    expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)).toMatchObject(expected);
  });
});
