import { describe, expect, it } from "vitest";
import { type OversizedEvent, type SseEvent, SseReader, endsOfEvent, withData } from "./sse-reader.ts";

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000_000) {
  const events: SseEvent[] = [];
  const oversized: OversizedEvent[] = [];
  const reader = new SseReader(maxBytes, {
    event: (event) => events.push(event),
    oversized: (event) => oversized.push(event),
  });
  for (const chunk of chunks) reader.take(Buffer.from(chunk as string));
  return { events, oversized, isCut: reader.end() };
}

const dataIn = (text: string): (string | undefined)[] =>
  read([text]).events.map(({ data }) => data?.toString());

describe("SseReader", () => {
  it.each(["\n", "\r\n", "\r"])("reads what servers write with the line end %j", (end) => {
    const text = [`event: message`, `id: 7`, `retry: 250`, `data: {"a":1}`, "", ""].join(end);
    const [event] = read([text]).events;
    expect(event).toMatchObject({ type: "message", id: "7", retryMs: 250 });
    expect(event?.data?.toString()).toBe('{"a":1}');
    expect(event?.raw.toString()).toBe(text);
  });

  it.each([
    ["data:no space\n\n", ["no space"]],
    ["data:  two\n\n", [" two"]],
    ["data: one\ndata: two\n\n", ["one\ntwo"]],
    ["data\n\n", [""]],
    [": a comment\n\n", [undefined]],
    ["\n\n", [undefined, undefined]],
    ["\uFEFFdata: after a mark\n\n", ["after a mark"]],
    ["dato: unknown\ndata : unknown\n\n", [undefined]],
    ["data: a\n\ndata: b\n\n", ["a", "b"]],
  ])("reads %j", (text, data) => {
    expect(dataIn(text)).toEqual(data);
  });

  it("takes no id with a zero byte and no waiting time that is not digits", () => {
    expect(read(["id: a\0b\nretry: soon\ndata: x\n\n"]).events[0]).toMatchObject({
      id: undefined,
      retryMs: undefined,
    });
  });

  it("drops an event that the stream breaks off", () => {
    expect(read(["data: whole\n\ndata: half"])).toMatchObject({ events: [{}], isCut: true });
    expect(read(["data: whole\n\n"])).toMatchObject({ isCut: false });
  });

  it("drops an event over the limit while it comes in, and says whose answer it was", () => {
    const long = `data: {"jsonrpc":"2.0","id":41,"result":{"text":"${"x".repeat(50_000)}"}}\n\n`;
    const late = `data: {"result":{"text":"${"x".repeat(50_000)}"},"jsonrpc":"2.0","id":"b"}\r\n\r\n`;
    const pieces = (text: string): string[] => text.match(/[\s\S]{1,999}/g) ?? [];
    for (const [text, rawId] of [
      [long, "41"],
      [late, '"b"'],
    ] as const) {
      const { events, oversized } = read([...pieces(text), "data: next\n\n"], 10_000);
      expect(events.map(({ data }) => data?.toString())).toEqual(["next"]);
      expect(oversized).toHaveLength(1);
      expect(oversized[0]?.bytes).toBe(text.length);
      expect(oversized.map((event) => endsOfEvent(event))).toEqual([{ rawId, isResponse: true }]);
    }
  });
});

describe("withData", () => {
  it("keeps everything else that an event says", () => {
    const [event] = read(["event: message\nid: 7\nretry: 250\ndata: old\n\n"]).events;
    if (event === undefined) throw new Error("no event");
    const [changed] = read([withData(event, "new")]).events;
    expect({ ...changed, raw: undefined }).toEqual({ ...event, raw: undefined, data: Buffer.from("new") });
  });

  it("writes data with line ends as one line, so that none of it is lost", () => {
    const [event] = read(['data: {\ndata: "id":1}\n\n']).events;
    if (event === undefined) throw new Error("no event");
    const [changed] = read([withData(event, '{\n"id":\r2,"text":"\u2028"}')]).events;
    expect(JSON.parse(String(changed?.data))).toEqual({ id: 2, text: "\u2028" });
  });
});
