import { describe, expect, it } from "vitest";
import { memoryStore } from "./memory-store.ts";
import { storeFacts } from "./store-facts.fixture.ts";

storeFacts("memoryStore", { create: async (options) => memoryStore(options) });

describe("memoryStore", () => {
  it("refuses what could never fit, before it holds more than that", async () => {
    const store = memoryStore({ maxBytes: 1_000_000 });
    let given = 0;
    const endless = function* (): Generator<string> {
      for (; given < 1_000; given++) yield "x".repeat(100_000);
    };
    await expect(store.put("a", endless())).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(given).toBeLessThan(20);
  });

  it("never holds more than its quota", async () => {
    const store = memoryStore({ maxBytes: 100_000 });
    for (let index = 0; index < 50; index++) await store.put("a", [`${index}`.padEnd(10_000, "x")]);
    const { storedBytes, entries } = await store.sweep();
    expect(storedBytes).toBeLessThanOrEqual(100_000);
    expect(entries).toBe(9);
  });

  it("evicts across tenants, so that a new one always finds room", async () => {
    const store = memoryStore({ maxBytes: 25_000 });
    const first = await store.put("a", ["a".repeat(10_000)]);
    await store.put("a", ["b".repeat(10_000)]);
    await store.put("b", ["c".repeat(10_000)]);
    expect(await store.has("a", first.entry.hash)).toBe(false);
  });
});
