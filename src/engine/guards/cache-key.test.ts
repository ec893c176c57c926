import { describe, expect, it } from "vitest";
import { cacheKey } from "./cache-key.ts";

describe("cacheKey", () => {
  it("is the same for equal arguments in another order", () => {
    const one = cacheKey({ tool: "search", args: { q: "x", page: { a: 1, b: 2 } }, tenant: "t" });
    expect(cacheKey({ tool: "search", args: { page: { b: 2, a: 1 }, q: "x" }, tenant: "t" })).toBe(one);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes absent arguments for empty ones", () => {
    expect(cacheKey({ tool: "list" })).toBe(cacheKey({ tool: "list", args: {} }));
  });

  it.each([
    { tool: "fetch", args: { q: "x" }, tenant: "t" },
    { tool: "search", args: { q: "y" }, tenant: "t" },
    { tool: "search", args: { q: "x" }, tenant: "u" },
    { tool: "search", args: { q: "x" } },
  ])("differs for %j", (parts) => {
    expect(cacheKey(parts)).not.toBe(cacheKey({ tool: "search", args: { q: "x" }, tenant: "t" }));
  });

  it("tells apart texts that UTF-8 would make equal", () => {
    expect(cacheKey({ tool: "t", args: "\ud800" })).not.toBe(cacheKey({ tool: "t", args: "\ud801" }));
  });
});
