import { describe, expect, it } from "vitest";
import { adviseKey, adviseName, didYouMean } from "./did-you-mean.ts";

const known = ["budget", "profile", "profiles", "exclude_empty_arrays"];

describe("didYouMean", () => {
  it.each([
    ["bugdet", "budget"],
    ["budgets", "budget"],
    ["profil", "profile"],
    ["Profile", "profile"],
    ["excludeEmptyArrays", "exclude_empty_arrays"],
    ["exclude-empty-array", "exclude_empty_arrays"],
  ])("takes %s for %s", (word, meant) => {
    expect(didYouMean(word, known)).toBe(meant);
  });

  it.each(["", "--", "zebra", "x", "a".repeat(10_000)])("finds nothing near %j", (word) => {
    expect(didYouMean(word, known)).toBeUndefined();
  });

  it("gives the first of two equally close words", () => {
    expect(didYouMean("rap", ["cap", "map"])).toBe("cap");
    expect(didYouMean("rap", ["map", "cap"])).toBe("map");
  });

  it("reads a word of 100 characters and none that is longer", () => {
    const word = "a".repeat(100);
    expect(didYouMean(word, [word])).toBe(word);
    expect(didYouMean(`${word}a`, [`${word}a`])).toBeUndefined();
    expect(didYouMean(word, [`${word}a`])).toBeUndefined();
  });

  it("looks at the first 400 candidates only", () => {
    const far = Array.from({ length: 400 }, () => "zzzzzzzz");
    expect(didYouMean("bugdet", [...far.slice(1), "budget"])).toBe("budget");
    expect(didYouMean("bugdet", [...far, "budget"])).toBeUndefined();
  });
});

describe("adviseKey", () => {
  it("lists all keys when none is close, and says to remove a key where none is known", () => {
    expect(adviseKey("zebra", ["tokens", "bytes"])).toBe("Choose one of tokens, bytes.");
    expect(adviseKey("zebra", [])).toBe("Remove it.");
  });
});

describe("adviseName", () => {
  it("names what was meant and everything allowed", () => {
    expect(adviseName("debgu", ["minimal", "debug"])).toBe(
      'Did you mean "debug"? Choose one of minimal, debug.',
    );
  });
});
