import { describe, expect, it } from "vitest";
import { ArchiveError, type ArchiveErrorCode, type ArchiveStore } from "./archive-store.ts";
import { type GuardedEvent, type GuardedStoreOptions, guardedStore } from "./guarded-store.ts";
import { memoryStore } from "./memory-store.ts";
import { storeFacts } from "./store-facts.fixture.ts";

storeFacts("guardedStore", { create: async (options) => guardedStore(memoryStore(options)) });
storeFacts("guardedStore with a fallback", {
  create: async (options) => guardedStore(memoryStore(options), { fallback: memoryStore(options) }),
});

interface Trouble {
  code: ArchiveErrorCode | "HANG" | undefined;
  calls: number;
}

/** A memory store that fails as told. */
function troubled(trouble: Trouble): ArchiveStore {
  const store = memoryStore();
  const fail = async (): Promise<void> => {
    trouble.calls++;
    if (trouble.code === "HANG") await new Promise(() => undefined);
    if (trouble.code !== undefined) throw new ArchiveError(trouble.code as ArchiveErrorCode, "As told.");
  };
  return {
    kind: "memory",
    location: "here",
    find: (...given) => store.find(...given),
    list: (tenant) => store.list(tenant),
    put: (...given) => fail().then(() => store.put(...given)),
    get: (...given) => fail().then(() => store.get(...given)),
    getRange: (...given) => fail().then(() => store.getRange(...given)),
    has: (...given) => fail().then(() => store.has(...given)),
    delete: (...given) => fail().then(() => store.delete(...given)),
    sweep: () => fail().then(() => store.sweep()),
    secret: (name) => fail().then(() => store.secret(name)),
    close: () => store.close(),
  };
}

function setUp(options: GuardedStoreOptions = {}) {
  const trouble: Trouble = { code: undefined, calls: 0 };
  const clock = { ms: 0 };
  const events: GuardedEvent[] = [];
  const breaker = { failures: 3, resetMs: 1_000 };
  const rest = { now: () => clock.ms, onEvent: (event: GuardedEvent) => void events.push(event) };
  const store = guardedStore(troubled(trouble), { breaker, ...rest, ...options });
  return { store, trouble, clock, events };
}

const text = async (store: ArchiveStore, hash: string): Promise<string> =>
  Buffer.from((await store.get("a", hash))?.bytes ?? []).toString();

describe("guardedStore", () => {
  it("gives up on a call that takes too long", async () => {
    const { store, trouble } = setUp({ timeoutMs: 20 });
    trouble.code = "HANG";
    await expect(store.put("a", ["[1]"])).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(store.has("a", "0")).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("leaves a store alone after some failures in a row, then probes once at a time until it is back", async () => {
    const { store, trouble, clock, events } = setUp();
    trouble.code = "UNREACHABLE";
    for (let call = 0; call < 10; call++) {
      await expect(store.put("a", ["[1]"])).rejects.toMatchObject({ code: "UNREACHABLE" });
    }
    expect(trouble.calls).toBe(3);
    clock.ms += 1_000;
    await Promise.allSettled([store.has("a", "0"), store.has("a", "0")]);
    expect(trouble.calls).toBe(4);
    trouble.code = undefined;
    clock.ms += 999;
    await expect(store.has("a", "0")).rejects.toMatchObject({ code: "UNREACHABLE" });
    clock.ms += 1;
    const { entry } = await store.put("a", ["[1]"]);
    expect(await text(store, entry.hash)).toBe("[1]");
    expect(events.filter(({ type }) => type.startsWith("breaker")).map(({ type }) => type)).toEqual([
      "breaker-opened",
      "breaker-closed",
    ]);
  });

  it.each(["CORRUPT", "FULL", "READ_ONLY", "TOO_LARGE"] as const)(
    "does not take %s for being away",
    async (code) => {
      const { store, trouble } = setUp();
      trouble.code = code;
      for (let call = 0; call < 10; call++) await expect(store.get("a", "0")).rejects.toMatchObject({ code });
      expect(trouble.calls).toBe(10);
    },
  );

  it("forgets failures once a call succeeds", async () => {
    const { store, trouble, events } = setUp();
    for (let call = 0; call < 12; call++) {
      trouble.code = call % 3 === 2 ? undefined : "UNREACHABLE";
      await store.has("a", "0").catch(() => undefined);
    }
    expect(events.some(({ type }) => type === "breaker-opened")).toBe(false);
  });

  it("remembers a secret while the store is away", async () => {
    const { store, trouble } = setUp();
    const secret = await store.secret("cursor");
    trouble.code = "UNREACHABLE";
    expect(await store.secret("cursor")).toBe(secret);
    await expect(store.secret("other")).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { breaker: { failures: 0 } },
    { breaker: { resetMs: 0.5 } },
  ])("refuses %j", (options) => {
    expect(() => guardedStore(memoryStore(), options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });
});

describe("a fallback", () => {
  it.each(["UNREACHABLE", "TIMEOUT", "FULL", "READ_ONLY", "TOO_LARGE"] as const)(
    "keeps what the first choice answers with %s",
    async (code) => {
      const { store, trouble, events } = setUp({ fallback: memoryStore() });
      trouble.code = code;
      const { entry, usedFallback } = await store.put("a", ["[1]"]);
      expect(usedFallback).toBe(true);
      expect(await text(store, entry.hash)).toBe("[1]");
      expect(events.at(-1)).toMatchObject({ type: expect.stringMatching(/store-failed|breaker-opened/) });
      trouble.code = undefined;
      expect(await text(store, entry.hash)).toBe("[1]");
      expect(await store.has("a", entry.hash)).toBe(true);
      expect(await store.find("a", entry.hash.slice(0, 12))).toEqual([entry]);
    },
  );

  it("gets the whole content, however far the first choice came", async () => {
    const fallback = memoryStore();
    const half = { ...troubled({ code: undefined, calls: 0 }) };
    half.put = async (_, content) => {
      content[Symbol.iterator]().next();
      throw new ArchiveError("UNREACHABLE", "Lost on the way.");
    };
    const { entry } = await guardedStore(half, { fallback }).put("a", ["[1,", "2]"]);
    expect(await text(fallback, entry.hash)).toBe("[1,2]");
  });

  it("is not given the rest of a generator for the whole", async () => {
    const half = { ...troubled({ code: undefined, calls: 0 }) };
    half.put = async (_, content) => {
      content[Symbol.iterator]().next();
      throw new ArchiveError("UNREACHABLE", "Lost on the way.");
    };
    const generator = function* (): Generator<string> {
      yield* ["[1,", "2]"];
    };
    const store = guardedStore(half, { fallback: memoryStore() });
    await expect(store.put("a", generator())).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("is not asked when the content itself cannot be read, and the breaker does not count it", async () => {
    const { store, events } = setUp({ fallback: memoryStore() });
    const broken = {
      *[Symbol.iterator](): Generator<string> {
        yield "[1";
        throw new TypeError("A circle.");
      },
    };
    for (let call = 0; call < 5; call++) await expect(store.put("a", broken)).rejects.toThrow("A circle.");
    expect(events).toEqual([]);
  });

  it("does not hide that a lookup failed when it has no answer either", async () => {
    const { store, trouble } = setUp({ fallback: memoryStore() });
    trouble.code = "UNREACHABLE";
    await expect(store.get("a", "0".repeat(64))).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("lists entries of both once", async () => {
    const { store, trouble } = setUp({ fallback: memoryStore() });
    await store.put("a", ["[1]"]);
    trouble.code = "UNREACHABLE";
    await store.put("a", ["[1]"]);
    await store.put("a", ["[2]"]);
    const listed = [];
    for await (const { hash } of store.list("a")) listed.push(hash);
    expect(new Set(listed).size).toBe(2);
    expect(listed).toHaveLength(2);
  });
});
