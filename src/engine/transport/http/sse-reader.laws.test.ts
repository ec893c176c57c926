import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { type SseEvent, SseReader } from "./sse-reader.ts";

function read(bytes: Buffer, cuts: readonly number[], maxBytes: number) {
  const events: SseEvent[] = [];
  const dropped: number[] = [];
  const reader = new SseReader(maxBytes, {
    event: (event) => events.push(event),
    oversized: (event) => dropped.push(event.bytes),
  });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    reader.take(bytes.subarray(from, place));
    from = place;
  }
  return { events, dropped };
}

const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const word = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, "_"));
const line = fc.oneof(
  word.map((text) => `data: ${text}`),
  word.map((text) => `id: ${text}`),
  word.map((text) => `event: ${text}`),
  word.map((text) => `: ${text}`),
  fc.nat(9_999).map((wait) => `retry: ${wait}`),
);
const stream = fc
  .array(fc.tuple(fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 5 }), lineEnd), {
    maxLength: 6,
  })
  .map((events) =>
    Buffer.from(
      events
        .map(([lines, end]) => `${lines.map(([text, after]) => `${text}${after}`).join("")}${end}`)
        .join(""),
    ),
  );
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
const sseNoise = fc
  .array(fc.constantFrom("data:", "id:", " ", "\r", "\n", "\n\n", ":", "x", "\u00e4", "\uFEFF", "\0"), {
    maxLength: 60,
  })
  .map((parts) => Buffer.from(parts.join("")));

describe("SseReader", () => {
  it("gives the same events wherever the stream is cut into chunks", () => {
    fc.assert(
      fc.property(fc.oneof(stream, noise, sseNoise), cuts, (bytes, places) => {
        const told = (each: SseEvent): object => ({
          ...each,
          raw: undefined,
          data: each.data?.toString("hex"),
        });
        const whole = read(bytes, [], 1_000_000).events.map(told);
        expect(read(bytes, places, 1_000_000).events.map(told)).toEqual(whole);
      }),
      lawRuns(1_000),
    );
  });

  it("loses and adds no byte: the events one after the other are the stream up to the last of them", () => {
    fc.assert(
      fc.property(fc.oneof(stream, noise, sseNoise), cuts, (bytes, places) => {
        const raw = Buffer.concat(read(bytes, places, 1_000_000).events.map((event) => event.raw));
        expect(bytes.subarray(0, raw.length).equals(raw)).toBe(true);
      }),
      lawRuns(1_000),
    );
  });

  it("drops exactly the events over the limit", () => {
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 1, max: 60 }), (bytes, places, limit) => {
        const sizes = read(bytes, [], 1_000_000).events.map(({ raw }) => raw.length);
        const { events, dropped } = read(bytes, places, limit);
        expect(events.every(({ raw }) => raw.length <= limit)).toBe(true);
        expect(events.length + dropped.length).toBe(sizes.length);
      }),
      lawRuns(1_000),
    );
  });
});
