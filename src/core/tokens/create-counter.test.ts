import { describe, expect, it } from "vitest";
import { findCut } from "./create-counter.ts";

describe("findCut", () => {
  it("cuts behind a word, before what follows it", () => {
    expect(findCut("one two three", 6)).toBe(3);
    expect(findCut('{"a":12,"b":3}', 8)).toBe(7);
    expect(findCut("人民，共和国。", 4)).toBe(2);
  });

  it("never cuts before an apostrophe, inside a run of spaces or behind punctuation", () => {
    expect(findCut("it's", 2)).toBe(4);
    expect(findCut("a   b", 3)).toBe(1);
    expect(findCut("?! ?!", 3)).toBe(5);
  });

  it("looks further on when there is no cut behind, up to the end", () => {
    expect(findCut("abcdef ghi", 3)).toBe(6);
    expect(findCut("a".repeat(5_000), 2_000)).toBe(5_000);
    expect(findCut(`${"a".repeat(3_000)} b`, 2_000)).toBe(3_000);
  });

  it("never parts a surrogate pair", () => {
    expect(findCut("😀😀😀", 3)).toBe(6);
  });
});
