import { describe, expect, test } from "vitest";
import { loadCounter } from "../../tokens/token-counter.ts";
import { outlineOf, surveyFields } from "./stub.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const counter = await loadCounter("o200k_base");
const gauge = makeTextWeigher({
  budget: { tokens: 1_000, bytes: "off" },
  byteLength: (text) => Buffer.byteLength(text),
  counter,
});

function fieldOf(values: readonly unknown[]): unknown {
  const items = values.map((value) => ({ field: value })) as never[];
  return Object.fromEntries(surveyFields(items))["field"];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe("what the fields of a list hold", () => {
  test.each([
    [
      "few short values: all of them, once, in their order",
      ["b", "a", "b", null, true],
      ["b", "a", null, true],
    ],
    ["many numbers: the least and the greatest", [...upTo(9), -2.5], { min: -2.5, max: 8 }],
    [
      "many dates: the first and the last",
      upTo(9).map((at) => `2026-11-0${9 - at}T10:00:00Z`),
      { min: "2026-11-01T10:00:00Z", max: "2026-11-09T10:00:00Z" },
    ],
    [
      "many texts: the lengths of the shortest and the longest, in characters",
      upTo(9).map((at) => "\u{1F600}".repeat(at + 1)),
      { min_length: 1, max_length: 9 },
    ],
    ["one long text is not repeated", ["x".repeat(50)], { min_length: 50, max_length: 50 }],
    ["lists: how long they are", [[], [1, 2, 3]], { min_items: 0, max_items: 3 }],
    ["objects", [{ a: 1 }], "object"],
    ["values of different kinds", [[1], "x"], "mixed"],
  ])("%s", (_, values, says) => {
    expect(fieldOf(values)).toEqual(says);
  });

  test("are those of every item, and at most 32", () => {
    const items = [{ a: 1 }, { b: 2 }, 5, "x", Object.fromEntries(upTo(100).map((at) => [`k${at}`, at]))];
    const fields = surveyFields(items);
    expect(fields).toHaveLength(32);
    expect(fields.slice(0, 3)).toEqual([
      ["a", [1]],
      ["b", [2]],
      ["k0", [0]],
    ]);
  });
});

describe("the outline of a text", () => {
  test("is its headings, as far as there is room", () => {
    const text = `# Harbours\n\n${"Ships come and go. ".repeat(50)}\n\n## Berths\n\nMany.\n\n## Tides\nTwo a day.`;
    expect(outlineOf(text, 200, gauge)).toEqual(["# Harbours", "## Berths", "## Tides"]);
    expect(outlineOf(text, 8, gauge)).toEqual(["# Harbours"]);
  });

  test("is its first sentences where it has no headings", () => {
    const text = Array.from({ length: 50 }, (_, at) => `Ship ${at} comes and goes.`).join(" ");
    const [lead = "", ...more] = outlineOf(text, 40, gauge);
    expect(more).toEqual([]);
    expect(lead).toMatch(/^Ship 0 comes and goes\. .*Ship \d comes and goes\.$/);
  });

  test("is nothing for bytes written as letters", () => {
    expect(
      outlineOf(Buffer.from(upTo(900).map((at) => (at * 7) % 256)).toString("base64"), 200, gauge),
    ).toEqual([]);
  });
});
