import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { compareRecorded, steadyAnswer, withoutChanging } from "./compare-recorded.ts";
import { compareCalls, readRecorded, writeRecorded } from "./recorded-calls.ts";

const now = Date.parse("2026-11-18T03:00:00Z");
const steady = (answer: JsonObject) => steadyAnswer(answer, now);

describe("an answer as it is kept", () => {
  it("has words in the place of what belongs to one call, and keeps what is data", () => {
    expect(
      steady({
        request_id: "abc",
        at: "2026-11-18T02:59:59.123Z",
        since: "2020-01-01T00:00:00Z",
        epoch: now / 1_000,
        epochMs: now,
        count: 12,
        next_cursor: "x1",
        cursor: null,
        duration_ms: 4,
        rate_limit: { limit: 100, remaining: 97, reset_at: "2026-11-18T04:00:00Z" },
        remaining: 3,
        note: "took 12 ms, as req_0123abcd says",
      }),
    ).toEqual({
      request_id: "<request id>",
      at: "<timestamp>",
      since: "2020-01-01T00:00:00Z",
      epoch: "<timestamp>",
      epochMs: "<timestamp>",
      count: 12,
      next_cursor: "<cursor>",
      cursor: null,
      duration_ms: "<duration>",
      rate_limit: { limit: 100, remaining: "<quota>", reset_at: "<quota>" },
      remaining: 3,
      note: "took <duration>, as <request id> says",
    });
  });

  it("opens a text that is JSON, and leaves any other", () => {
    const blocks = ['{"a":1}', "fine", "42"].map((text) => ({ type: "text", text }));
    expect(steady({ content: blocks })).toEqual({
      content: [
        { type: "text", text: { $json: { a: 1 } } },
        { type: "text", text: "fine" },
        { type: "text", text: "42" },
      ],
    });
  });

  it("has <any> where the same call gave two values", () => {
    const first = { id: "a", list: [1, 2], same: true, gone: 1 };
    expect(withoutChanging(first, { id: "b", list: [1, 3], same: true })).toEqual({
      id: "<any>",
      list: [1, "<any>"],
      same: true,
      gone: 1,
    });
  });
});

describe("a comparison", () => {
  it("names each place that differs, and takes <any> for everything", () => {
    expect(
      compareRecorded(
        { a: 1, b: "<any>", c: [1, 2], "x/y": null, t: "<timestamp>" },
        { a: 2, b: { deep: true }, c: [1, 2, 3], d: 4, t: "2020-01-01T00:00:00Z" },
      ),
    ).toEqual([
      { path: "/a", message: "recorded 1, now 2" },
      { path: "/c", message: "recorded 2 items, now 3" },
      { path: "/x~1y", message: "recorded null, now nothing" },
      { path: "/d", message: "recorded nothing, now 4" },
    ]);
  });

  it("is bounded, however much differs", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
    expect(compareRecorded(many, {})).toHaveLength(50);
  });

  it("passes over tools that were not called, and tells those that are gone", () => {
    const file = (tool: string) => ({ file: `${tool}.valid-0.json`, tool, content: { tool } });
    const compared = compareCalls([file("a"), file("b"), file("c")], [file("a"), file("d")], ["a", "b", "d"]);
    expect(compared).toMatchObject({ compared: 1, skipped: 1, added: 1 });
    expect(compared.differences).toEqual([
      { file: "c.valid-0.json", tool: "c", path: "", message: "the server lists this tool no more" },
    ]);
  });
});

describe("a file", () => {
  it("keeps what a person replaced by <any>", () => {
    const content = { format: "waybill-check-record-1", tool: "t", result: { a: 1, b: 2 } };
    const call = { file: "t.json", tool: "t", content };
    const edited = readRecorded("t.json", JSON.stringify({ ...content, result: { a: "<any>", b: 1 } }));
    expect(JSON.parse(writeRecorded(call, edited)).result).toEqual({ a: "<any>", b: 2 });
  });

  it("looks as docs/check.md shows it, and nothing in it belongs to one call", () => {
    const page = readFileSync(new URL("../../../../docs/check.md", import.meta.url), "utf8");
    const [, block = ""] = /```json\n(\{\n {2}"format": "waybill-check-record-1"[^]*?)```/.exec(page) ?? [];
    const { tool, content } = readRecorded("parcel.given-0.json", block);
    expect(tool).toBe("parcel");
    expect(steady(content)).toEqual(content);
  });

  it("that no check wrote is refused, with what is wrong", () => {
    expect(() => readRecorded("t.json", '{"tool":"t"}')).toThrow(/format/);
    expect(() => readRecorded("t.json", "{")).toThrow(/no JSON/);
  });
});
