import { PassThrough, type Readable } from "node:stream";
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpFailure } from "../http-failure.ts";
import { type HttpAnswer, type SentRequest, sendRequest } from "../http-target.ts";
import { type Handle, quick, serveRaw, sseOf } from "../raw-http-server.fixture.ts";
import { MadeAnswer, SharedRoom } from "./made-answer.ts";
import { openMcpTarget } from "./old-transport.ts";

const stream = { "content-type": "text/event-stream" };

/** A server of the old transport that answers its greeting and nothing else, and a session with it. */
async function openSession() {
  const streams: ServerResponse[] = [];
  const handle: Handle = ({ method, json: { id, method: asked } }, response) => {
    if (method === "GET") {
      streams.push(response);
      response.writeHead(200, stream).write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    response.writeHead(202).end();
    if (asked === "initialize") streams.at(-1)?.write(sseOf({ jsonrpc: "2.0", id, result: {} }));
  };
  const server = await serveRaw(handle);
  const target = openMcpTarget(server.url, undefined, { transport: "sse" });
  onTestFinished(async () => {
    target.close();
    await server.close();
  });
  const send = (method: string, message: object | undefined, headers: object): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const body = message && Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
      const sent: SentRequest = { method, headers: { ...headers }, body, isRepeatable: true };
      const failed = (failure: HttpFailure): void => reject(Object.assign(new Error(), failure));
      sendRequest(target, sent, { response: resolve, failed });
    });
  const { headers } = await send("POST", { id: 0, method: "initialize", params: {} }, {});
  const session = { "mcp-session-id": headers["mcp-session-id"] };
  return { send: (method: string, message?: object) => send(method, message, session), streams };
}

async function textOf(answer: Readable, until: (text: string) => boolean): Promise<string> {
  let text = "";
  answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => until(text), quick).toBe(true);
  return text;
}

describe("a session of the old transport", () => {
  it("refuses a request under an id that waits for its answer, which has not run", async () => {
    const { send } = await openSession();
    const first = send("POST", { id: 1, method: "ping" });
    first.catch(() => undefined);
    await expect(send("POST", { id: 1, method: "ping" })).rejects.toMatchObject({
      status: 400,
      executed: "no",
    });
  });

  it("keeps the last hundred messages for a client that does not listen yet", async () => {
    const { send, streams } = await openSession();
    for (let at = 0; at < 150; at++)
      streams[0]?.write(sseOf({ jsonrpc: "2.0", method: `notifications/n${at}` }));
    streams[0]?.write(sseOf({ jsonrpc: "2.0", id: 1, result: {} }));
    await send("POST", { id: 1, method: "ping" }).catch(() => undefined);
    const listening = await send("GET");
    const text = await textOf(listening, (heard) => heard.includes("notifications/n149"));
    expect(text.match(/notifications\/n\d+/g)?.length).toBeLessThanOrEqual(100);
    expect(text).not.toContain('notifications/n0"');
  });

  it("gives the stream to the client that asks last, and ends the one before", async () => {
    const { send, streams } = await openSession();
    const [before, now] = [await send("GET"), await send("GET")];
    let isOver = false;
    before.on("end", () => (isOver = true)).resume();
    await expect.poll(() => isOver, quick).toBe(true);
    streams[0]?.write(sseOf({ jsonrpc: "2.0", method: "notifications/x" }));
    await textOf(now, (heard) => heard.includes("notifications/x"));
  });

  it("takes no body that is not a message", async () => {
    const { send } = await openSession();
    expect((await send("PUT")).statusCode).toBe(400);
  });
});

describe("an answer that is not read", () => {
  const message = Buffer.from(`{"text":"${"x".repeat(100_000)}"}`);

  it("rests the stream that it comes from, until it is read or no longer wanted", async () => {
    const source = new PassThrough();
    const room = new SharedRoom();
    room.of(source);
    source.resume();
    const [slow, left] = [1, 2].map(() => new MadeAnswer(200, {}, room)) as [MadeAnswer, MadeAnswer];
    slow.event(message);
    left.event(message);
    expect(source.isPaused()).toBe(true);
    left.destroy();
    await expect.poll(() => left.closed, quick).toBe(true);
    expect(source.isPaused()).toBe(true);
    slow.resume();
    await expect.poll(() => source.isPaused(), quick).toBe(false);
  });

  it("is broken unless it was ended, as a response is", async () => {
    const whole = new MadeAnswer(200, {});
    whole.finish(message);
    whole.event(message);
    whole.resume();
    const cut = new MadeAnswer(200, {});
    cut.destroy();
    cut.finish(message);
    await expect.poll(() => whole.closed && cut.closed, quick).toBe(true);
    expect([whole.complete, cut.complete]).toEqual([true, false]);
  });
});
