import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type FixtureOptions, memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { greeting, messagesIn, modern, send } from "./raw-http.fixture.ts";

const opened: (() => Promise<void>)[] = [];

/** Waits for what a busy machine may be slow to do. */
const until = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

const prompt: readonly unknown[] = ["initialize", "tools/list", "ping"];

/** A server that answers greetings, lists and pings at once, and the rest when a test lets it. */
async function open(options: FixtureOptions = {}) {
  const held: (() => void)[] = [];
  const upstream = memoryUpstream((end) => {
    end.listen({
      message: (bytes) => {
        const { id, method } = JSON.parse(bytes.toString()) as JsonObject;
        const result = method === "tools/list" ? { tools: [] } : { resultType: "complete" };
        const answer = (): void => end.send(JSON.stringify({ jsonrpc: "2.0", id: id ?? null, result }));
        if (prompt.includes(method)) answer();
        else if (id !== undefined) held.push(answer);
      },
      oversized: () => undefined,
      closed: () => undefined,
    });
  });
  const authenticate: NonNullable<FixtureOptions["authenticate"]> = async (headers) => ({
    kind: "ok",
    principal: headers["x-user"] ?? "ada",
    authInfo: undefined,
    headers,
  });
  const gateway = await openGateway(upstream, { authenticate, ...options });
  opened.push(gateway.close);
  const release = (): void => {
    for (const answer of held.splice(0)) answer();
  };
  return { ...gateway, upstream, release };
}

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function greet(url: URL, user = "ada"): Promise<Record<string, string>> {
  const answer = await send(url, { headers: { "x-user": user }, body: JSON.stringify(greeting) });
  expect(answer.status).toBe(200);
  return { "mcp-session-id": String(answer.headers["mcp-session-id"]), "x-user": user };
}

const bodyOf = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const wait = (id: number): string => bodyOf(id, "resources/read", { uri: "x:y" });
const call = (id: number): string => bodyOf(id, "tools/call", { name: "wait", arguments: {} });

/** Sends a request and leaves before it is answered. */
async function leave(url: URL, headers: Record<string, string>, body: string, hasArrived: () => boolean) {
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  const asked = request(url, { method: "POST", headers: all });
  asked.on("error", () => undefined).end(body);
  await until(() => expect(hasArrived()).toBe(true));
  asked.destroy();
}

describe("processes of one upstream", () => {
  it("are shared out: who has its share gets 503 with the time to wait, and others are served", async () => {
    const { url, release } = await open({ command: { maxProcesses: 4, maxProcessesPerCaller: 2 } });
    const busy = [await greet(url), await greet(url)].map((headers) => send(url, { headers, body: wait(1) }));
    await until(async () => {
      const refused = await send(url, { body: JSON.stringify(greeting) });
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
      expect(JSON.parse(refused.body)).toMatchObject({
        id: 0,
        error: { code: -32000, data: { error_code: "UNAVAILABLE", retry_after_seconds: 5, executed: "no" } },
      });
    });
    const modernOne = modern("custom/ask");
    expect(await send(url, modernOne)).toMatchObject({ status: 503 });
    await greet(url, "ben");
    release();
    expect((await Promise.all(busy)).flatMap(messagesIn)).toMatchObject([{ id: 1 }, { id: 1 }]);
  });

  it("never are more than the limit: a new one waits until the old one is gone", async () => {
    const gone: (() => void)[] = [];
    const { url, upstream } = await open({ command: { maxProcesses: 1 } });
    const connect = upstream.connect.bind(upstream);
    // A process that takes its time to end.
    const slow: typeof connect = (origin, ended) => connect(origin, () => gone.push(() => ended?.()));
    Object.assign(upstream, { connect: slow });
    await greet(url);
    const second = greet(url);
    await until(() => expect(gone).toHaveLength(1));
    expect(upstream.ends).toHaveLength(1);
    gone[0]?.();
    await second;
    expect(upstream.ends).toHaveLength(2);
  });
});

describe("a request that is no tool call", () => {
  it("is answered with an error when its time is over, and the server hears that no caller waits", async () => {
    const { url, upstream } = await open({ command: { requestTimeoutMs: 30 } });
    const headers = await greet(url);
    const error = { code: -32000, data: { error_code: "TIMEOUT" } };
    expect(messagesIn(await send(url, { headers, body: wait(7) }))).toMatchObject([{ id: 7, error }]);
    expect(messagesIn(await send(url, modern("custom/ask", {}, "m")))).toMatchObject([{ id: "m", error }]);
    for (const end of upstream.ends)
      await until(() => expect(end.heard.at(-1)).toMatchObject({ method: "notifications/cancelled" }));
  });
});

describe("requests of one session", () => {
  it("may wait in a limited number, modern ones of one caller too", async () => {
    const { url, release } = await open({ command: { maxOpenRequests: 2 } });
    const headers = await greet(url);
    const waiting = [1, 2].map((id) => send(url, { headers, body: wait(id) }));
    await until(async () => {
      const refused = await send(url, { headers, body: wait(3) });
      expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
      expect(messagesIn(refused)).toMatchObject([{ id: 3, error: { data: { error_code: "UNAVAILABLE" } } }]);
    });
    waiting.push(...[3, 4].map((id) => send(url, modern("custom/ask", {}, id))));
    await until(async () => expect((await send(url, modern("ping"))).status).toBe(429));
    release();
    const ids = (await Promise.all(waiting)).flatMap(messagesIn).map((one) => (one as JsonObject)["id"]);
    expect(ids).toEqual([1, 2, 3, 4]);
  });

  it("that are cancelled wait for nothing any more", async () => {
    const { url } = await open({ command: { maxOpenRequests: 1 } });
    const headers = await greet(url);
    const cancelled = bodyOf(0, "notifications/cancelled", { requestId: 1 }).replace('"id":0,', "");
    for (let round = 0; round < 3; round += 1) {
      const waiting = send(url, { headers, body: call(1) });
      await until(async () => expect((await send(url, { headers, body: wait(2) })).status).toBe(429));
      await send(url, { headers, body: cancelled });
      expect(messagesIn(await waiting)).toEqual([]);
    }
  });

  it("in a batch are all answered when the session ends", async () => {
    const { url } = await open();
    const headers = await greet(url);
    const waiting = send(url, { headers, body: `[${wait(1)},${wait(2)},${call(3)}]` });
    await until(async () => expect((await send(url, { headers, body: wait(3) })).status).toBe(400));
    await send(url, { method: "DELETE", headers });
    const answers = messagesIn(await waiting) as JsonObject[];
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("do not keep a process for a client that left", async () => {
    const { url, upstream, handler } = await open({ command: { idleMs: 400 } });
    const headers = await greet(url);
    await leave(url, headers, call(1), () => JSON.stringify(upstream.ends[0]?.heard).includes("tools/call"));
    await until(() => expect(handler.sessions()).toBe(0));
    await until(() => expect(upstream.ends[0]?.closedBy).toBeDefined());
  });

  it("whose client left are cancelled after a while, although the session goes on", async () => {
    const { url, upstream } = await open({ command: { idleMs: 400 } });
    const headers = await greet(url);
    const listening = request(url, { headers: { ...headers, accept: "text/event-stream" } }).end();
    listening.on("error", () => undefined);
    await new Promise((resolve) => listening.once("response", resolve));
    await leave(url, headers, call(1), () => JSON.stringify(upstream.ends[0]?.heard).includes("tools/call"));
    await until(() =>
      expect(upstream.ends[0]?.heard).toContainEqual(
        expect.objectContaining({ method: "notifications/cancelled" }),
      ),
    );
    expect((await send(url, { headers, body: bodyOf(1, "ping") })).status).toBe(200);
    listening.destroy();
  });
});

describe("a body that is too long", () => {
  it("is answered with 413, and the connection is closed although its client goes on sending", async () => {
    const { url } = await open({ command: { maxBodyBytes: 1_000 } });
    const said: string[] = [];
    const socket = connectSocket(Number(url.port), url.hostname);
    socket.on("error", () => undefined).on("data", (chunk: Buffer) => said.push(chunk.toString()));
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.write(
      `POST ${url.pathname} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n{`,
    );
    const sending = setInterval(() => socket.write("x".repeat(100)), 20);
    await closed;
    clearInterval(sending);
    expect(said.join("")).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i);
  });
});
