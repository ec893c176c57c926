import { describe, expect, it } from "vitest";
import { adviseKey, adviseName, suggest } from "./suggest.ts";

const known = ["budget", "profile", "profiles", "exclude_empty_arrays"];

describe("suggest", () => {
  it.each([
    ["bugdet", "budget"],
    ["budgets", "budget"],
    ["profil", "profile"],
    ["Profile", "profile"],
    ["excludeEmptyArrays", "exclude_empty_arrays"],
    ["exclude-empty-array", "exclude_empty_arrays"],
  ])("takes %s for %s", (word, meant) => {
    expect(suggest(word, known)).toBe(meant);
  });

  it.each(["", "zebra", "x", "a".repeat(10_000)])("finds nothing near %j", (word) => {
    expect(suggest(word.slice(0, 10_000), known)).toBeUndefined();
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
