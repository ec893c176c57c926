import { type IncomingMessage, request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { WaitingMemory, WRITE_BYTES } from "../../../engine/transport/http/waiting-memory.ts";
import type { LinkEnd } from "../../../engine/transport/link-pair.fixture.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";
import { memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { greeting, modern, send } from "./raw-http.fixture.ts";

const KIB = 1024;
const MIB = KIB * KIB;
const MAX_SAID = 5_000;
const ends: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Called {
  readonly id: number;
  readonly token: number;
  readonly end: LinkEnd;
}

/** A gateway whose server tells the test of every call, and lets it speak. */
async function open(memory: WaitingMemory) {
  const calls: Called[] = [];
  const cancelled: unknown[] = [];
  const upstream = memoryUpstream((end) => {
    end.listen({
      message: (bytes) => {
        const { id, method, params } = JSON.parse(bytes.toString()) as JsonObject & { params: JsonObject };
        const result = method === "tools/list" ? { tools: [] } : { resultType: "complete" };
        const { progressToken: token } = (params?.["_meta"] ?? {}) as { progressToken?: number };
        if (method === "tools/call") calls.push({ id: Number(id), token: Number(token), end });
        else if (method === "notifications/cancelled") cancelled.push(params["requestId"]);
        else if (id !== undefined) end.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
      },
      oversized: () => undefined,
      closed: () => undefined,
    });
  });
  const gateway = await openGateway(upstream, { command: { memory } });
  ends.push(gateway.close);
  return { url: gateway.url, calls, cancelled };
}

interface Reader {
  readonly heard: () => string;
  readonly read: () => void;
  readonly isGone: () => boolean;
}

const params = (token: number): object => ({ name: "wait", arguments: {}, _meta: { progressToken: token } });

/** Calls a tool and does not read the response before it is told to. */
function call(url: URL, sent: { readonly headers: Record<string, string>; readonly body: string }): Reader {
  const chunks: Buffer[] = [];
  let answer: IncomingMessage | undefined;
  let isGone = false;
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const asked = request(url, { method: "POST", agent: false, headers: { ...headers, ...sent.headers } });
  asked
    .on("error", () => (isGone = true))
    .on("response", (given) => {
      answer = given;
      given.on("error", () => (isGone = true)).on("close", () => (isGone = true));
    });
  asked.end(sent.body);
  ends.push(() => void asked.destroy());
  return {
    heard: () => Buffer.concat(chunks).toString(),
    read: () => void answer?.on("data", (chunk: Buffer) => chunks.push(chunk)),
    isGone: () => isGone,
  };
}

const saying = (method: string, more: object): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params: more });
const progress = ({ token }: Called, at: number, size: number): string =>
  saying("notifications/progress", { progressToken: token, progress: at, message: "x".repeat(size) });

/** Speaks until something waits for the client: what the system itself takes is no memory of ours. */
async function speakUntil(holds: () => boolean, speak: (at: number) => void): Promise<number> {
  let at = 0;
  for (; !holds(); at += 1) {
    expect(at).toBeLessThan(MAX_SAID);
    speak(at);
    // What is written in one turn waits until its end, even if a client reads.
    await turns(1);
  }
  return at;
}

const finish = ({ id, end }: Called): void =>
  end.send(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], resultType: "complete" } }));

describe("a client that does not read", () => {
  it.each(["modern", "legacy"])("loses progress and nothing else, in the %s era", async (era) => {
    const memory = new WaitingMemory();
    const { url, calls } = await open(memory);
    const greeted = era === "legacy" ? await send(url, { body: JSON.stringify(greeting) }) : undefined;
    const session = { "mcp-session-id": String(greeted?.headers["mcp-session-id"]) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: params(7) });
    const reader = call(
      url,
      greeted ? { headers: session, body } : modern("tools/call", { ...params(7) }, 1),
    );
    await until(() => calls.length === 1);
    const [called] = calls as [Called];
    const said = await speakUntil(
      () => memory.bytes > 256 * KIB,
      (at) => called.end.send(progress(called, at, 32 * KIB)),
    );
    const waiting = memory.bytes;
    for (let at = said; at < said + 200; at += 1) called.end.send(progress(called, at, 32 * KIB));
    await turns();
    expect(memory.bytes).toBe(waiting);
    called.end.send(saying("notifications/message", { level: "info", data: "kept" }));
    finish(called);
    reader.read();
    await until(() => reader.isGone());
    const told = [...reader.heard().matchAll(/"progress":(\d+),/g)].map(([, at]) => Number(at));
    expect(told).toEqual(Array.from({ length: said }, (_, at) => at));
    // In the modern era logs are for who asked for them.
    expect(era === "modern" || reader.heard().includes('"kept"')).toBe(true);
    expect(reader.heard().includes('"id":1')).toBe(true);
    expect(memory.bytes).toBe(0);
  });

  it("is cut when too much waits for all, the one that waits for longest first, and its call is cancelled", async () => {
    const memory = new WaitingMemory({ maxBytes: 2 * MIB, slowBytes: 64 * MIB });
    const { url, calls, cancelled } = await open(memory);
    const readers = [1, 2].map((id) => call(url, modern("tools/call", { ...params(id) }, id)));
    await until(() => calls.length === 2);
    const [first, second] = calls.toSorted((left, right) => left.token - right.token) as [Called, Called];
    await speakUntil(
      () => memory.bytes > MIB,
      (at) => first.end.send(progress(first, at, 32 * KIB)),
    );
    await speakUntil(
      () => cancelled.length > 0,
      (at) => second.end.send(progress(second, at, 32 * KIB)),
    );
    expect(cancelled).toEqual([first.token]);
    expect(memory.bytes).toBeLessThanOrEqual(2 * MIB);
    finish(second);
    for (const reader of readers) reader.read();
    await until(() => readers.every((reader) => reader.isGone()));
    expect(readers.map((reader) => reader.heard().includes('"id":'))).toEqual([false, true]);
    expect(memory.bytes).toBe(0);
  });

  it("is cut when too much waits for it, where many small messages count for what they cost", async () => {
    const memory = new WaitingMemory({ maxClientBytes: 2 * MIB, slowBytes: 64 * MIB });
    const { url, calls, cancelled } = await open(memory);
    call(url, modern("tools/call", { ...params(1) }, 1));
    await until(() => calls.length === 1);
    const [called] = calls as [Called];
    // Fills what the system takes, then counts.
    await speakUntil(
      () => memory.bytes > 0,
      (at) => called.end.send(progress(called, at, 32 * KIB)),
    );
    let small = 0;
    await speakUntil(
      () => cancelled.length > 0,
      (at) => {
        small += 1;
        called.end.send(progress(called, at, 1));
      },
    );
    expect(small).toBeLessThan((2 * MIB) / WRITE_BYTES);
  });
});
