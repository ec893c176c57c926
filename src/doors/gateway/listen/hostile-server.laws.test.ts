import * as fc from "fast-check";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { createState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import { openBridge } from "../bridge/bridge.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { openHttpUpstream } from "../upstream/http-upstream.ts";
import { type RawServer, quick, serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, later, serveProxy } from "../reverse-proxy/proxy-http.fixture.ts";

/** What a server does with a tool call, whatever sense it makes. */
interface Deed {
  readonly status: number;
  readonly type: string | undefined;
  readonly isPacked: boolean;
  readonly pieces: readonly string[];
  readonly end: "end" | "destroy";
}

const good = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}';
const piece = fc.oneof(
  fc.constantFrom(
    good,
    `data: ${good}\n\n`,
    `id: 7\ndata: ${good}\r\n\r\n`,
    `data: ${good.replace('"id":1', '"id":99')}\n\n`,
    'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
    'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}\n\n',
    'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}\n\n',
    `[${good}]`,
    "id: 8\ndata:\n\n",
    "data: {\n\n",
    "data: [1]\n\n",
    ": ping\n\n",
    "\n\n\r\r",
    "{}",
    "null",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const deed: fc.Arbitrary<Deed> = fc.record({
  status: fc.constantFrom(200, 200, 200, 202, 204, 206, 301, 400, 401, 404, 429, 500, 503),
  type: fc.constantFrom("application/json", "text/event-stream", "text/event-stream", "text/html", undefined),
  isPacked: fc.boolean(),
  pieces: fc.array(piece, { maxLength: 5 }),
  end: fc.constantFrom("end", "end", "destroy"),
});

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}';

/** Every response to the call in what a client heard. */
function answersIn(messages: readonly string[]): readonly string[] {
  return messages.filter((text) => {
    try {
      const { id, method } = JSON.parse(text) as { id?: unknown; method?: unknown };
      return id === 1 && method === undefined;
    } catch {
      return false;
    }
  });
}

describe("whatever a server does", () => {
  let server: RawServer;
  let next: Deed;
  beforeAll(async () => {
    server = await serveRaw(({ json: { id, method } }, response) => {
      if (method === "tools/list") {
        response.writeHead(200, { "content-type": "application/json" });
        return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
      }
      const { status, type, isPacked, pieces, end } = next;
      response.writeHead(status, {
        ...(type === undefined ? {} : { "content-type": type }),
        ...(isPacked ? { "content-encoding": "gzip" } : {}),
      });
      for (const each of isPacked ? [gzipSync(pieces.join(""))] : pieces) response.write(each);
      return void (end === "end" ? response.end() : setImmediate(() => response.destroy()));
    });
  });
  afterAll(() => server.close());

  it("a client over HTTP gets one answer: the server's own refusal, or one response", async () => {
    const { url } = await serveProxy({ url: server.url });
    await fc.assert(
      fc.asyncProperty(deed, async (done) => {
        next = done;
        const { status, text, headers } = await ask(url, { body: call }).answer;
        expect(headers.location).toBeUndefined();
        const isStream = headers["content-type"] === "text/event-stream";
        const messages = isStream
          ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = ""]) => data)
          : [text];
        const isOwnRefusal = status >= 400 && status === done.status;
        // A server that says where to go on may give the answer there.
        const mayFollow = isStream && /^id: ?./m.test(text);
        // The body of a refusal is not read as messages.
        const count = isOwnRefusal ? 1 : answersIn(messages).length;
        expect(count).toBeGreaterThanOrEqual(mayFollow ? 0 : 1);
        expect(count).toBeLessThanOrEqual(1);
      }),
      lawRuns(1_000, 30),
    );
  });

  it("a client in lines gets one response", async () => {
    listenToScope();
    const upstream = openHttpUpstream("hostile", { url: server.url });
    later(() => upstream.close());
    const state = createState({ logLevel: "silent" });
    await fc.assert(
      fc.asyncProperty(deed, async (done) => {
        next = done;
        const [near, far] = linkPair();
        const bridge = openBridge({
          state,
          client: far,
          upstream: upstream.connect({ principal: "local" }),
        });
        near.listen({ message: () => undefined, oversized: () => undefined, closed: () => undefined });
        near.send(call);
        await expect.poll(() => answersIn(near.heardRaw).length, quick).toBe(1);
        near.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
        await expect.poll(() => near.heardRaw.some((text) => text.includes('"id":2')), quick).toBe(true);
        expect(answersIn(near.heardRaw)).toHaveLength(1);
        bridge.close();
      }),
      lawRuns(1_000, 30),
    );
  });
});
