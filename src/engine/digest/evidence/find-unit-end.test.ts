import { describe, expect, it } from "vitest";
import { canCutTextAt, safeCut } from "./find-unit-end.ts";

describe("safeCut", () => {
  it("cuts where it was asked to when nothing is torn", () => {
    expect(safeCut("abcdef", 3, 0)).toBe(3);
    expect(safeCut("abcdef", 6, 0)).toBe(6);
  });

  it.each([
    ["a surrogate pair", "ab😀", 3, 2],
    ["a letter and its mark", "abe\u0301f", 3, 2],
    ["an emoji and its skin tone", "ab👍🏽", 4, 2],
    ["a joined emoji", "ab👩‍👧", 5, 2],
  ])("moves back before %s", (_what, text, at, cut) => {
    expect(safeCut(text, at, 0)).toBe(cut);
  });

  it("gives up on marks without end, but not on a pair", () => {
    expect(safeCut(`a${"\u0301".repeat(200)}`, 150, 0)).toBe(150);
    expect(safeCut("😀😀", 1, 0)).toBe(2);
  });

  it("leaves lone halves alone", () => {
    expect(canCutTextAt("\ud83d\ud83d", 1)).toBe(true);
    expect(canCutTextAt("a\ude00", 1)).toBe(true);
  });
});
