import { describe, expect, it, vi } from "vitest";
import { type ResultCacheOptions, createResultCache } from "./kept-results.ts";

function setUp(options: Partial<ResultCacheOptions> = {}) {
  const clock = { ms: 1_000 };
  const cache = createResultCache<string>({ ttlMs: 100, staleMs: 50, now: () => clock.ms, ...options });
  return { clock, cache };
}

function deferred() {
  let resolve: (value: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((yes, no) => ([resolve, reject] = [yes, no]));
  return { run: vi.fn<() => Promise<string>>(() => promise), resolve, reject };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("createResultCache", () => {
  it("is fresh until its lifetime ends, then stale, then gone", () => {
    const { cache, clock } = setUp();
    cache.set("k", "v");
    const ages = [0, 99, 100, 149, 150].map((age) => {
      clock.ms = 1_000 + age;
      return cache.get("k");
    });
    expect(ages).toEqual([
      { value: "v", ageMs: 0, state: "fresh" },
      { value: "v", ageMs: 99, state: "fresh" },
      { value: "v", ageMs: 100, state: "stale" },
      { value: "v", ageMs: 149, state: "stale" },
      undefined,
    ]);
  });

  it("is never stale unless a time for it is given", () => {
    const { cache, clock } = setUp({ staleMs: 0 });
    cache.set("k", "v");
    clock.ms += 100;
    expect(cache.get("k")).toBeUndefined();
  });

  it("drops an entry whose age a clock that was set back cannot tell", () => {
    const { cache, clock } = setUp();
    cache.set("k", "v");
    clock.ms -= 1;
    expect(cache.get("k")).toBeUndefined();
  });

  it("drops the oldest entry first; setting it again makes it the youngest", () => {
    const { cache } = setUp({ maxEntries: 2 });
    for (const key of ["a", "b", "a", "c"]) cache.set(key, key);
    expect(["a", "b", "c"].map((key) => cache.get(key)?.value)).toEqual(["a", undefined, "c"]);
  });

  it("keeps undefined and null as values", async () => {
    const cache = createResultCache<undefined>({ ttlMs: 100, now: () => 0 });
    const run = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
    await cache.load("k", run);
    expect((await cache.load("k", run)).state).toBe("fresh");
  });
});

describe("load", () => {
  it("runs once for callers who miss together", async () => {
    const { cache } = setUp();
    const { run, resolve } = deferred();
    const answers = Promise.all([cache.load("k", run), cache.load("k", run), cache.load("k", run)]);
    resolve("v");
    expect(await answers).toEqual(
      Array.from({ length: 3 }, () => ({ value: "v", ageMs: 0, state: "loaded" })),
    );
    expect(run).toHaveBeenCalledTimes(1);
    expect((await cache.load("k", run)).state).toBe("fresh");
  });

  it("gives a failure to all who wait, and keeps nothing of it", async () => {
    const { cache } = setUp();
    const { run, reject } = deferred();
    const answers = Promise.allSettled([cache.load("k", run), cache.load("k", run)]);
    reject(new Error("down"));
    expect((await answers).map((answer) => answer.status)).toEqual(["rejected", "rejected"]);
    expect((await cache.load("k", () => Promise.resolve("v"))).value).toBe("v");
  });

  it("recovers from a run that throws at once", async () => {
    const { cache } = setUp();
    const broken = (): Promise<string> => {
      throw new Error("at once");
    };
    await expect(cache.load("k", broken)).rejects.toThrow("at once");
    expect((await cache.load("k", () => Promise.resolve("v"))).value).toBe("v");
  });

  it("answers with a stale entry at once and refreshes it behind, once", async () => {
    const { cache, clock } = setUp();
    cache.set("k", "old");
    clock.ms += 120;
    const { run, resolve } = deferred();
    const stale = { value: "old", ageMs: 120, state: "stale" };
    expect([await cache.load("k", run), await cache.load("k", run)]).toEqual([stale, stale]);
    resolve("new");
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
    expect(cache.get("k")).toEqual({ value: "new", ageMs: 0, state: "fresh" });
  });

  it("joins a refresh that is under way when the stale entry has gone meanwhile", async () => {
    const { cache, clock } = setUp();
    cache.set("k", "old");
    clock.ms += 120;
    const { run, resolve } = deferred();
    await cache.load("k", run);
    clock.ms += 100;
    const answer = cache.load("k", run);
    resolve("new");
    expect(await answer).toEqual({ value: "new", ageMs: 0, state: "loaded" });
    expect(cache.get("k")?.value).toBe("new");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("keeps the stale entry when its refresh fails, quietly, and tries again at the next hit", async () => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    const { cache, clock } = setUp();
    cache.set("k", "old");
    clock.ms += 120;
    const run = vi.fn<() => Promise<string>>(() => Promise.reject(new Error("down")));
    await cache.load("k", run);
    await settle();
    expect((await cache.load("k", run)).value).toBe("old");
    await settle();
    process.off("unhandledRejection", unhandled);
    expect(run).toHaveBeenCalledTimes(2);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("does not overwrite what was set while it ran", async () => {
    const { cache } = setUp();
    const { run, resolve } = deferred();
    const answer = cache.load("k", run);
    await settle();
    cache.set("k", "newer");
    resolve("older");
    expect((await answer).value).toBe("older");
    expect(cache.get("k")?.value).toBe("newer");
  });

  it.each([{ ttlMs: 0 }, { staleMs: -1 }, { maxEntries: 0 }])("refuses the options %j", (options) => {
    expect(() => setUp(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });
});
