import { describe, expect, it } from "vitest";
import { resultCacheKey, createBoundedEntries } from "./kept-results.ts";

function setUp(maxEntries = 2) {
  const clock = { ms: 0 };
  return { clock, entries: createBoundedEntries<string>({ maxEntries, maxAgeMs: 100, now: () => clock.ms }) };
}

describe("createBoundedEntries", () => {
  it("keeps an entry and the time it was stored, until it reaches its age", () => {
    const { entries, clock } = setUp();
    entries.set("a", "v");
    clock.ms = 99;
    expect(entries.get("a")).toEqual({ value: "v", storedAt: 0 });
    clock.ms = 100;
    expect(entries.get("a")).toBeUndefined();
    expect(entries.size).toBe(0);
  });

  it("forgets the oldest first; an entry stored again is the youngest", () => {
    const { entries } = setUp();
    for (const key of ["a", "b", "a", "c"]) entries.set(key, key);
    expect(["a", "b", "c"].map((key) => entries.get(key)?.value)).toEqual(["a", undefined, "c"]);
  });

  it("lets go of entries past their age when another comes, though there is room", () => {
    const { entries, clock } = setUp(10);
    for (const key of ["a", "b", "c"]) entries.set(key, key);
    clock.ms = 100;
    entries.set("d", "d");
    expect(entries.size).toBe(1);
  });

  it("keeps an entry when the clock is set back", () => {
    const { entries, clock } = setUp();
    entries.set("a", "v");
    clock.ms = -1;
    expect(entries.get("a")?.value).toBe("v");
  });
});

describe("cacheKey", () => {
  it("is the same for equal arguments in another order", () => {
    const one = resultCacheKey({ tool: "search", args: { q: "x", page: { a: 1, b: 2 } }, tenant: "t" });
    expect(resultCacheKey({ tool: "search", args: { page: { b: 2, a: 1 }, q: "x" }, tenant: "t" })).toBe(one);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes absent arguments for empty ones", () => {
    expect(resultCacheKey({ tool: "list" })).toBe(resultCacheKey({ tool: "list", args: {} }));
  });

  it.each([
    { tool: "fetch", args: { q: "x" }, tenant: "t" },
    { tool: "search", args: { q: "y" }, tenant: "t" },
    { tool: "search", args: { q: "x" }, tenant: "u" },
    { tool: "search", args: { q: "x" } },
  ])("differs for %j", (parts) => {
    expect(resultCacheKey(parts)).not.toBe(resultCacheKey({ tool: "search", args: { q: "x" }, tenant: "t" }));
  });

  it("tells apart texts that UTF-8 would make equal", () => {
    expect(resultCacheKey({ tool: "t", args: "\ud800" })).not.toBe(
      resultCacheKey({ tool: "t", args: "\ud801" }),
    );
  });
});
