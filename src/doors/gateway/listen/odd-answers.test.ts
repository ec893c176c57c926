import { JSONRPCMessageSchema } from "mcp-sdk-1-32/types.js";
import { describe, expect, it } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { quick, serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { openBridge } from "../bridge/bridge.ts";
import { childUpstream } from "../upstream/child-upstream.ts";
import { openHttpUpstream } from "../upstream/http-upstream.ts";
import { openGateway } from "../bridge/http-gateway.fixture.ts";
import { ask, later, serveProxy } from "../reverse-proxy/proxy-http.fixture.ts";
import { greeting, messagesIn, modern, send } from "../bridge/raw-http.fixture.ts";

const RESULT = '{"content":[{"type":"text","text":"fine"}],"contents":[{"uri":"odd:1","text":"fine"}]}';
/** What a server says; ID becomes the id that it was asked under. */
const odd = {
  plain: `{"jsonrpc":"2.0","id":ID,"result":${RESULT}}`,
  broken: '{"jsonrpc":"2.0","id":ID,"result":{"contents":[}}',
  marked: `\uFEFF{"jsonrpc":"2.0","id":ID,"result":${RESULT}}`,
  firstOfTwoIds: `{"jsonrpc":"2.0","id":ID,"result":${RESULT},"id":98765}`,
  lastOfTwoIds: `{"jsonrpc":"2.0","id":98765,"result":${RESULT},"id":ID}`,
  oneIdTwice: `{"jsonrpc":"2.0","id":ID,"result":${RESULT},"id":ID}`,
  middleOfIds: `{"jsonrpc":"2.0","x":1,"id":ID,"result":${RESULT},"id":98765}`,
  list: `[{"jsonrpc":"2.0","id":ID,"result":${RESULT}}]`,
  mixedList: `[null,{"jsonrpc":"2.0","id":ID,"result":${RESULT}}]`,
  nullResult: '{"jsonrpc":"2.0","id":ID,"result":null}',
  nullError: `{"jsonrpc":"2.0","id":ID,"result":${RESULT},"error":null}`,
  nullBesideError: '{"jsonrpc":"2.0","id":ID,"result":null,"error":{"code":-32000,"message":"no such"}}',
  strangerFirst: `{"jsonrpc":"2.0","id":98765,"id":ID,"result":${RESULT}}`,
  nullErrorAlone: '{"jsonrpc":"2.0","id":ID,"error":null}',
  noOutcome: '{"jsonrpc":"2.0","id":ID}',
  bothOutcomes: `{"jsonrpc":"2.0","id":ID,"result":${RESULT},"error":{"code":-32000,"message":"no such"}}`,
  textError: '{"jsonrpc":"2.0","id":ID,"error":"no such"}',
  emptyError: '{"jsonrpc":"2.0","id":ID,"error":{}}',
  textCode: '{"jsonrpc":"2.0","id":ID,"error":{"code":"E7","message":"no such"}}',
  noVersion: `{"id":ID,"result":${RESULT}}`,
} as const;
type Odd = keyof typeof odd;
const names = Object.keys(odd) as Odd[];

/** A server as a process: it greets and lists properly, and gives the odd answer that the last word of a request names. */
const source = `
const odd = ${JSON.stringify(odd)};
let rest = "";
process.stdin.setEncoding("utf8").on("data", (d) => {
  const lines = (rest + d).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const m = JSON.parse(line);
    if (m.id === undefined) continue;
    const named = m.params?.uri ?? m.params?.arguments?.odd;
    const plain = m.method === "initialize"
      ? { protocolVersion: "2025-11-25", capabilities: { tools: {}, resources: {} }, serverInfo: { name: "odd", version: "1" } }
      : { tools: [{ name: "read", inputSchema: { type: "object" } }] };
    const said = named === undefined ? JSON.stringify({ jsonrpc: "2.0", id: m.id, result: plain }) : odd[named.replace("odd:", "")].replaceAll("ID", JSON.stringify(m.id));
    process.stdout.write(said + "\\n");
  }
});
`;

/** Asks for an odd answer, by reading a resource or by calling a tool; gives the one message that answers. */
type Ask = (method: string, params: JsonObject) => Promise<JsonObject>;
const requests: Readonly<Record<string, (name: Odd) => JsonObject>> = {
  "resources/read": (name) => ({ uri: `odd:${name}` }),
  "tools/call": (name) => ({ name: "read", arguments: { odd: name } }),
};

async function commandGateway(): Promise<URL> {
  const upstream = childUpstream(
    "odd",
    { command: process.execPath, args: ["-e", source] },
    { note: () => undefined },
  );
  const gateway = await openGateway(upstream);
  later(async () => {
    await gateway.close();
    await upstream.close();
  });
  return gateway.url;
}

const lastOf = (messages: readonly unknown[]): JsonObject => messages.at(-1) as JsonObject;

async function legacyDoor(): Promise<Ask> {
  const url = await commandGateway();
  const hello = await send(url, { body: JSON.stringify(greeting) });
  const headers = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
  let id = 0;
  return async (method, params) => {
    id += 1;
    return lastOf(
      messagesIn(await send(url, { headers, body: JSON.stringify({ jsonrpc: "2.0", id, method, params }) })),
    );
  };
}

async function modernDoor(): Promise<Ask> {
  const url = await commandGateway();
  return async (method, params) => lastOf(messagesIn(await send(url, modern(method, params))));
}

/** A server behind a URL that gives the same answers, as JSON or on a stream that it leaves open. */
async function serveOdd(isStream: boolean): Promise<string> {
  const server = await serveRaw(({ json }, response) => {
    const { id, params } = json as { id: unknown; params?: { uri?: string; arguments?: { odd?: string } } };
    const named = params?.uri?.replace("odd:", "") ?? params?.arguments?.odd;
    if (id === undefined) return void response.writeHead(202).end();
    if (named === undefined) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
    }
    const text = odd[named as Odd].replaceAll("ID", JSON.stringify(id));
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    return void (isStream ? response.write(`data: ${text}\n\n`) : response.end(text));
  });
  later(server.close);
  return server.url;
}

const urlDoor = (isStream: boolean) => async (): Promise<Ask> => {
  const { url } = await serveProxy({ url: await serveOdd(isStream) }, { dialect: "auto" });
  return async (method, params) => {
    const asked = ask(url, { body: { id: 1, method, params } });
    const said = (): readonly string[] =>
      [...asked.heard().matchAll(/^(?:data: ?)?(.*\})\s*$/gm)].map(([, text = ""]) => text);
    await expect.poll(() => said().length, quick).toBeGreaterThan(0);
    asked.leave();
    return JSON.parse(said().at(-1) ?? "") as JsonObject;
  };
};

const linesDoor = (isStream: boolean) => async (): Promise<Ask> => {
  listenToScope();
  const upstream = openHttpUpstream("odd", { url: await serveOdd(isStream) });
  const [near, far] = linkPair();
  const state = createState({ logLevel: "silent", dialect: "auto" });
  const bridge = openBridge({ state, client: far, upstream: upstream.connect({ principal: "local" }) });
  later(async () => {
    bridge.close();
    await upstream.close();
  });
  near.listen({ message: () => undefined, oversized: () => undefined, closed: () => undefined });
  let id = 0;
  return async (method, params) => {
    id += 1;
    near.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const answer = (): unknown => near.heard.find((one) => (one as JsonObject)["id"] === id);
    await expect.poll(answer, quick).toBeDefined();
    return answer() as JsonObject;
  };
};

/** What the client hears of each, in the words of the whole answer. */
const heard: Readonly<Record<Odd, RegExp>> = {
  plain: /fine/,
  broken: /answer is not a JSON-RPC message/,
  marked: /fine/,
  firstOfTwoIds: /fine/,
  lastOfTwoIds: /fine/,
  oneIdTwice: /fine/,
  // A link over HTTP reads the last id only.
  middleOfIds: /fine|answer is not a JSON-RPC message/,
  list: /fine/,
  mixedList: /fine/,
  nullResult: /"result":null|its result is null/,
  nullError: /fine/,
  nullBesideError: /no such/,
  strangerFirst: /fine/,
  nullErrorAlone: /answer is not a JSON-RPC message/,
  noOutcome: /answer is not a JSON-RPC message/,
  bothOutcomes: /no such/,
  textError: /no such/,
  emptyError: /no error of JSON-RPC: \{\}/,
  textCode: /no error of JSON-RPC: .*E7.*no such/,
  noVersion: /fine/,
};

/** Whether the official client takes it; a null is left to clients that asked for something else than a tool. */
function isReadable(answer: JsonObject): boolean {
  return JSONRPCMessageSchema.safeParse(answer["result"] === null ? { ...answer, result: {} } : answer)
    .success;
}

describe.each([
  ["a process, to a session over HTTP", legacyDoor],
  ["a process, to requests of the modern era", modernDoor],
  ["a URL, as JSON", urlDoor(false)],
  ["a URL, on a stream that stays open", urlDoor(true)],
  ["a URL, as JSON to a client in lines", linesDoor(false)],
  ["a URL, on a stream that stays open, to a client in lines", linesDoor(true)],
] as const)("an odd answer of %s", (_name, open) => {
  it.each(Object.keys(requests))("to %s is made plain or refused, and never waited for", async (method) => {
    const asked = await open();
    for (const name of names) {
      const answer = await asked(method, requests[method]?.(name) ?? {});
      expect({ name, text: JSON.stringify(answer), isReadable: isReadable(answer) }).toEqual({
        name,
        text: expect.stringMatching(heard[name]) as string,
        isReadable: true,
      });
    }
  });

  it("that is null is the result of what it answers, and said in a sentence where it answers a tool", async () => {
    const asked = await open();
    const read = await asked("resources/read", { uri: "odd:nullResult" });
    expect(read).toMatchObject({ result: null });
    const called = await asked("tools/call", { name: "read", arguments: { odd: "nullResult" } });
    expect(called).toMatchObject({ result: { isError: true } });
  });
});
