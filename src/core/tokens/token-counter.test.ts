import { describe, expect, it } from "vitest";
import { tokenEncodings, loadCounter } from "./token-counter.ts";

describe("loadCounter", () => {
  it("counts in o200k_base by default", async () => {
    expect((await loadCounter()).encoding).toBe("o200k_base");
    expect((await loadCounter("cl100k_base")).encoding).toBe("cl100k_base");
  });

  it("reads a vocabulary once", async () => {
    expect(await loadCounter()).toBe(await loadCounter("o200k_base"));
  });

  it("refuses an encoding without a vocabulary, each time it is asked", async () => {
    const unknown = "p50k_base" as (typeof tokenEncodings)[number];
    const says = 'There is no encoding "p50k_base": choose one of o200k_base, cl100k_base.';
    await expect(loadCounter(unknown)).rejects.toThrow(says);
    await expect(loadCounter(unknown)).rejects.toThrow(says);
  });
});

describe.each(tokenEncodings)("a counter of %s", async (encoding) => {
  const counter = await loadCounter(encoding);
  const count = (text: string, limit?: number): number => counter.count(text, limit);

  it("finds no token in an empty text", () => {
    expect(count("")).toBe(0);
    expect(count("", 0)).toBe(0);
  });

  it("reads special tokens as ordinary text", () => {
    expect(count("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts half a surrogate pair as the replacement character", () => {
    expect(count("a\uD800b")).toBe(count("a\uFFFDb"));
    expect(count("\uDC00".repeat(100))).toBe(count("\uFFFD".repeat(100)));
  });

  it("takes U+0085 for a space and a byte order mark for none", () => {
    expect(count("a\u0085\u0085\u0085b")).toBe(count("a\u0085\u0085") + count("\u0085b"));
    expect(count("\uFEFFa")).toBe(count("\uFEFF") + count("a"));
  });

  it("needs no merging to know that a long word is above a limit", () => {
    const word = "a".repeat(20_000_000);
    expect(count(word, 8_000)).toBeGreaterThan(8_000);
    expect(count(`{"text":"${word}"}`, 8_000)).toBeGreaterThan(8_000);
  });

  it("ignores a limit that is not a number", () => {
    expect(count("one two three", Number.NaN)).toBe(3);
  });
});

it("parts an ending from its word in cl100k_base only", async () => {
  const [o200k, cl100k] = await Promise.all(tokenEncodings.map((encoding) => loadCounter(encoding)));
  expect([o200k?.count("It's"), cl100k?.count("It's")]).toEqual([1, 2]);
});
