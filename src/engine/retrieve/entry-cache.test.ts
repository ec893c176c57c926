import { describe, expect, test } from "vitest";
import { createEntryCache, type ReadEntry } from "./read-entry.ts";

const entry = (bytes: number): ReadEntry => ({ value: null, bytes, memo: new Map() });

describe("createEntryCache", () => {
  test("keeps the last used up to its bytes", () => {
    const cache = createEntryCache(100);
    cache.set("ada", "one", entry(40));
    cache.set("ada", "two", entry(40));
    cache.get("ada", "one");
    cache.set("ada", "three", entry(40));
    expect(cache.get("ada", "two")).toBeUndefined();
    expect(cache.get("ada", "one")).toBeDefined();
    expect(cache.get("ada", "three")).toBeDefined();
  });

  test("never keeps what is larger than itself, and counts a replaced entry once", () => {
    const cache = createEntryCache(100);
    cache.set("ada", "large", entry(101));
    expect(cache.get("ada", "large")).toBeUndefined();
    for (let turn = 0; turn < 5; turn++) cache.set("ada", "one", entry(60));
    cache.set("ada", "two", entry(40));
    expect(cache.get("ada", "one")).toBeDefined();
  });

  test("keeps tenants apart", () => {
    const cache = createEntryCache(100);
    cache.set("ada", "one", entry(1));
    expect(cache.get("bob", "one")).toBeUndefined();
  });
});
