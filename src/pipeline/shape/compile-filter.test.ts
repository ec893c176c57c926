import { describe, expect, it } from "vitest";
import { compileFilter } from "./compile-filter.ts";

describe("compileFilter", () => {
  it("gives a function that serves many results, failures and tiers", () => {
    const keep = compileFilter({ includeOnly: ["a", "b"], excludeWhenTier: { free: ["b"] } });
    const data = { a: 1, b: 2, c: 3 };
    for (let round = 0; round < 2; round++) {
      expect(keep(data)).toEqual({ a: 1, b: 2 });
      expect(keep(data, { tier: "free" })).toEqual({ a: 1 });
      expect(keep(data, { failed: true, tier: "free" })).toEqual({ a: 1, c: 3 });
      expect(keep(data, { failed: true })).toBe(data);
    }
  });

  it("refuses a bad path before any data comes", () => {
    expect(() => compileFilter({ excludeWhenTier: { free: ["a..b"] } })).toThrow(
      'Bad path "a..b" in excludeWhenTier.free, position 2: a name is missing here.',
    );
    expect(() => compileFilter({ includeOnError: ["a["] })).toThrow(/in includeOnError, position 1/);
  });

  it("does not follow a list that changes later", () => {
    const exclude = ["a"];
    const keep = compileFilter({ exclude });
    exclude.push("b");
    expect(keep({ a: 1, b: 2 })).toEqual({ b: 2 });
  });
});
