import { describe, expect, it } from "vitest";
import { acceptedBy, withoutEvents } from "./answer-request.ts";

describe("acceptedBy", () => {
  it.each([
    [null, true, false],
    ["", false, false],
    ["*/*", true, false],
    ["application/json", true, false],
    ["Application/JSON; charset=utf-8", true, false],
    ["application/*;q=0.5", true, false],
    ["application/json, text/event-stream", true, true],
    ["text/event-stream;q=0.9 , */*", true, true],
    ["text/event-stream", false, true],
    ["application/json;q=0, text/event-stream", false, true],
    ["text/html", false, false],
  ])("reads %j as JSON: %s, events: %s", (accept, json, events) => {
    expect(acceptedBy(accept)).toEqual({ json, events });
  });
});

const stream = (...messages: readonly object[]): Response =>
  new Response(messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream", "mcp-session-id": "s-1", "cache-control": "no-cache" },
  });
const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
const [one, two] = [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} }));

describe("withoutEvents", () => {
  const { signal: gone } = new AbortController();

  it("gives the answer of a stream as JSON, without what was told before it", async () => {
    const plain = await withoutEvents(stream(progress, one ?? {}), { isBatch: false, gone });
    expect(Object.fromEntries(plain?.headers ?? [])).toEqual({
      "content-type": "application/json",
      "mcp-session-id": "s-1",
    });
    expect(await plain?.json()).toEqual(one);
  });

  it("gives a list for a batch, and nothing for a stream without an answer", async () => {
    const batch = await withoutEvents(stream(one ?? {}, progress, two ?? {}), { isBatch: true, gone });
    expect(await batch?.json()).toEqual([one, two]);
    expect(await withoutEvents(stream(progress), { isBatch: false, gone })).toBeUndefined();
  });

  it("leaves what is no stream as it is", async () => {
    const answer = Response.json(one);
    expect(await withoutEvents(answer, { isBatch: false, gone })).toBe(answer);
  });

  it("ends a stream whose client has left", async () => {
    const leaving = new AbortController();
    let isCancelled = false;
    const endless = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const answer = new Response(endless, { headers: { "content-type": "text/event-stream" } });
    const plain = withoutEvents(answer, { isBatch: false, gone: leaving.signal });
    leaving.abort();
    expect(await plain).toBeUndefined();
    expect(isCancelled).toBe(true);
  });
});
