import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../test/arbitrary/law-runs.ts";
import { EventReader } from "./event-reader.ts";

const stream = [
  ": hello\n\n",
  'id: 1\nevent: hello\ndata: {"version":"1"}\n\n',
  "id: 2\r\nevent: calls\r\ndata: one\r\ndata: two\r\n\r\n",
  "data:no space\rdata:  two spaces\r\r",
  "event: nothing\n\n",
  "retry: 5\nunknown: x\ndata\n\n",
].join("");

const events = [
  { name: "hello", data: '{"version":"1"}' },
  { name: "calls", data: "one\ntwo" },
  { name: "message", data: "no space\n two spaces" },
  { name: "message", data: "" },
];

describe("EventReader", () => {
  it("reads events with any ending of lines, and passes over comments, unknown fields and events without data", () => {
    const reader = new EventReader();
    expect(reader.push(stream)).toEqual(events);
    expect(reader.lastId).toBe("2");
  });

  it("gives the same events however the stream was split", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length }), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), stream.length];
        const reader = new EventReader();
        const read = places.slice(1).flatMap((end, at) => reader.push(stream.slice(places[at], end)));
        expect(read).toEqual(events);
        expect(reader.lastId).toBe("2");
      }),
      lawRuns(1_000),
    );
  });

  it("keeps back an event that is not finished, and does not count an id with a null character", () => {
    const reader = new EventReader();
    expect(reader.push("id: a\ndata: x\n")).toEqual([]);
    expect(reader.push("\n")).toEqual([{ name: "message", data: "x" }]);
    reader.push("id: b\u0000c\n\n");
    expect(reader.lastId).toBe("a");
  });

  it("refuses an event that never ends", () => {
    const reader = new EventReader();
    const mebibyte = "x".repeat(1024 * 1024);
    expect(() => {
      for (let count = 0; count < 20; count += 1) reader.push(`data: ${mebibyte}\n`);
    }).toThrow("too long");
  });
});
