import { describe, expect, test } from "vitest";
import { cutText, looksEncoded, looksLikeJson } from "./cut-text.ts";
import { counter } from "./fit-bench.fixture.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const byteLength = (text: string): number => Buffer.byteLength(text);
const bytes = makeTextWeigher({ budget: { tokens: "off", bytes: 10_000 }, byteLength, counter: undefined });
const tokens = makeTextWeigher({ budget: { tokens: 10_000, bytes: "off" }, byteLength, counter });

/** What is kept of a text whose JSON may take so many bytes, quotes included. */
function cut(text: string, room: number): string | undefined {
  const kept = cutText(text, room, bytes);
  expect(text.startsWith(kept ?? "")).toBe(true);
  expect(byteLength(JSON.stringify(kept ?? ""))).toBeLessThanOrEqual(Math.max(2, room));
  return kept;
}

describe("cutText", () => {
  test("gives back a text that has room", () => {
    expect(cut("short", 40)).toBe("short");
    expect(cut("", 3)).toBe("");
  });

  test("gives nothing where not even two quotes have room", () => {
    expect(cut("text", 1)).toBeUndefined();
    expect(cut("text", 2)).toBe("");
  });

  test.each([
    [
      "a whole record of a JSON text",
      '[{"a":1,"b":"x, y"},{"a":2,"b":"z"},{"a":3}]',
      40,
      '[{"a":1,"b":"x, y"},',
    ],
    [
      "a whole record and its line, of a JSON text in lines",
      '[\n  {"a": 1},\n  {"a": 2},\n  {"a": 3, "b": 4}\n]',
      46,
      '[\n  {"a": 1},\n  {"a": 2},\n',
    ],
    ["a line", "first line\nsecond line\nthird line that is long", 34, "first line\nsecond line\n"],
    [
      "a CRLF, never between its two halves",
      "first line\r\nsecond line\r\nthird",
      34,
      "first line\r\nsecond line\r\n",
    ],
    ["a CRLF that has room for its first half only", "first line\r\nsecond", 16, "first line"],
    [
      "a sentence where no line does",
      "One is here. Two is there. Three is nowhere.",
      36,
      "One is here. Two is there.",
    ],
    ["a sentence in quotes", 'He said "stop." Then he went away far', 30, 'He said "stop."'],
    ["a word where no sentence does", "alpha beta gamma delta epsilon", 24, "alpha beta gamma"],
    ["no abbreviation inside a word", "alpha v1.2.3-beta gamma.delta epsilon", 26, "alpha v1.2.3-beta"],
    ["where it must, without any of them", "abcdefghijklmnopqrstuvwxyz", 13, "abcdefghij"],
  ])("ends after %s", (_, text, room, kept) => {
    expect(cut(text, room)).toBe(kept);
  });

  test("does not go back further than half of what has room for a good end", () => {
    expect(cut(`ab\n${"c".repeat(60)}`, 43)).toBe(`ab\n${"c".repeat(36)}`);
  });

  test("ends Chinese and Japanese after their own full stop, which no space follows", () => {
    expect(cut("今天天气很好。我们去公园散步吧。然后回家", 56)).toBe("今天天气很好。我们去公园散步吧。");
    expect(cut("「行こう！」と言った。それから彼は", 44)).toBe("「行こう！」と言った。");
  });

  test("cuts Chinese without a stop between characters", () => {
    expect(cut("汉".repeat(40), 33)).toBe("汉".repeat(10));
  });

  test.each([
    ["an emoji", "😀"],
    ["a flag", "🇩🇪"],
    ["a family", "👨‍👩‍👧"],
    ["a letter beyond the basic plane", "𝒳"],
  ])("never ends inside the surrogate pair of %s", (_, sign) => {
    for (let room = 2; room < 60; room++) {
      const kept = cut(sign.repeat(20), room) ?? "";
      expect(kept).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test("counts combining marks as code points of their own, so a bare letter may be the last", () => {
    const accented = "e\u0301".repeat(20);
    expect(cut(accented, 9)).toBe("e\u0301e\u0301");
    expect(cut(accented, 7)).toBe("e\u0301e");
  });

  test("counts what JSON writes: an escape is never cut apart and never forgotten", () => {
    expect(cut('"'.repeat(50), 23)).toBe('"'.repeat(10));
    expect(cut("\u0001".repeat(50), 63)).toBe("\u0001".repeat(10));
    expect(cut("\\".repeat(50), 23)).toBe("\\".repeat(10));
    expect(cut("\ud800".repeat(50), 63)).toBe("\ud800".repeat(10));
  });

  test("keeps nothing of bytes written as letters: half of them is of no use", () => {
    const base64 = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 37) % 256)).toString(
      "base64",
    );
    expect(looksEncoded(base64)).toBe(true);
    expect(cut(base64, 400)).toBe("");
    expect(looksEncoded("lorem ipsum ".repeat(40))).toBe(false);
    expect(looksEncoded("x".repeat(400))).toBe(false);
  });

  test("weighs in tokens where the budget is in tokens", () => {
    const text = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
    const kept = cutText(text, 100, tokens) ?? "";
    expect(kept.length).toBeGreaterThan(100);
    expect(counter.count(JSON.stringify(kept))).toBeLessThanOrEqual(100);
    expect(text.charAt(kept.length)).toBe(" ");
  });
});

describe("looksLikeJson", () => {
  test.each([
    ['{"a": 1}', true],
    ['[\n  {"a": 1},\n  {"a": 2}\n]', true],
    ['{"i": 1}\n{"i": 2}\n{"i": 3}', false],
    ['["a", 1]\r\n["b", 2]', false],
    ["[link] and more}", false],
  ])("of %j is %s: a value a line is lines", (text, isJson) => {
    expect(looksLikeJson(text)).toBe(isJson);
  });
});
