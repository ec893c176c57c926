import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rateLimitSchema } from "../../core/contract/meta.ts";
import { type RateLimits, createRateLimits } from "./rate-limits.ts";

const start = Date.parse("2026-01-31T12:00:00Z");

async function spend(limits: RateLimits, key: string, times: number): Promise<boolean[]> {
  const verdicts = await Promise.all(Array.from({ length: times }, () => limits.consume(key)));
  return verdicts.map((verdict) => verdict.allowed);
}

beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: start }));
afterEach(() => vi.useRealTimers());

describe("createRateLimits", () => {
  it("says what is left and when it is whole again", async () => {
    const verdict = await createRateLimits({ limit: 10, periodSeconds: 60 }).consume("ann", 3);
    expect(verdict).toEqual({
      allowed: true,
      rateLimit: { limit: 10, remaining: 7, reset_at: "2026-01-31T12:01:00.000Z", period: "minute" },
      isApproaching: false,
    });
    expect(rateLimitSchema.safeParse(verdict.rateLimit).success).toBe(true);
  });

  it("refuses the call over the limit and says how long to wait, in whole seconds", async () => {
    const limits = createRateLimits({ limit: 2, periodSeconds: 90 });
    expect(await spend(limits, "ann", 2)).toEqual([true, true]);
    vi.advanceTimersByTime(30_500);
    expect(await limits.consume("ann")).toEqual({
      allowed: false,
      rateLimit: {
        limit: 2,
        remaining: 0,
        reset_at: "2026-01-31T12:01:30.000Z",
        period: "90 seconds",
        retry_after: 60,
      },
      retryAfterSeconds: 60,
      isApproaching: false,
    });
  });

  it("lets through exactly the limit of calls that arrive together", async () => {
    const allowed = await spend(createRateLimits({ limit: 3, periodSeconds: 60 }), "ann", 10);
    expect(allowed.filter(Boolean)).toHaveLength(3);
  });

  it("opens a new window after the period, whether or not a timer has run", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60 });
    expect(await spend(limits, "ann", 2)).toEqual([true, false]);
    vi.setSystemTime(start + 60_000);
    expect(await spend(limits, "ann", 2)).toEqual([true, false]);
    vi.advanceTimersByTime(60_000);
    expect(await spend(limits, "ann", 2)).toEqual([true, false]);
  });

  it("counts each key by itself", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60 });
    expect(await spend(limits, "ann", 1)).toEqual([true]);
    expect(await spend(limits, "bob", 1)).toEqual([true]);
  });

  it("takes nothing for a refused call, so that a smaller one still passes", async () => {
    const limits = createRateLimits({ limit: 10, periodSeconds: 60 });
    await limits.consume("ann", 8);
    expect((await limits.consume("ann", 5)).rateLimit.remaining).toBe(2);
    expect((await limits.consume("ann", 2)).allowed).toBe(true);
  });

  it("always refuses a cost above the limit, and asks to wait a whole period", async () => {
    const limits = createRateLimits({ limit: 10, periodSeconds: 60 });
    await limits.consume("ann", 1);
    vi.advanceTimersByTime(59_000);
    for (let round = 0; round < 3; round++) {
      const verdict = await limits.consume("ann", 11);
      expect([verdict.allowed, verdict.retryAfterSeconds, verdict.rateLimit.retry_after]).toEqual([
        false,
        60,
        60,
      ]);
      vi.advanceTimersByTime(60_000);
    }
    expect((await limits.consume("ann", 10)).allowed).toBe(true);
  });

  it("lets a call that costs nothing through when nothing is left", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60 });
    await limits.consume("ann");
    expect((await limits.consume("ann", 0)).allowed).toBe(true);
  });

  it("is approaching at a tenth of the limit, or at the share it was given", async () => {
    const near = async (used: number, approachingShare?: number): Promise<boolean> => {
      const share = approachingShare === undefined ? {} : { approachingShare };
      const limits = createRateLimits({ limit: 20, periodSeconds: 60, ...share });
      return (await limits.consume("ann", used)).isApproaching;
    };
    expect([await near(17), await near(18), await near(9, 0.5), await near(10, 0.5)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it.each([
    [1, "second"],
    [59, "59 seconds"],
    [60, "minute"],
    [120, "2 minutes"],
    [3_600, "hour"],
    [5_400, "90 minutes"],
    [86_400, "day"],
    [604_800, "7 days"],
  ])("names a period of %d seconds %s", async (periodSeconds, words) => {
    const verdict = await createRateLimits({ limit: 1, periodSeconds }).consume("ann");
    expect(verdict.rateLimit.period).toBe(words);
  });

  it("forgets the oldest running window when there are too many keys", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60, maxKeys: 2 });
    for (const key of ["ann", "bob", "cid"]) await limits.consume(key);
    expect((await limits.consume("cid")).allowed).toBe(false);
    expect((await limits.consume("bob")).allowed).toBe(false);
    expect((await limits.consume("ann")).allowed).toBe(true);
  });

  it("forgets no running window while ended ones can go", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60, maxKeys: 2 });
    await limits.consume("ann");
    vi.advanceTimersByTime(60_000);
    await limits.consume("bob");
    await limits.consume("ann");
    expect([(await limits.consume("bob")).allowed, (await limits.consume("ann")).allowed]).toEqual([
      false,
      false,
    ]);
  });

  it("takes a window that opened again for a young one", async () => {
    const limits = createRateLimits({ limit: 1, periodSeconds: 60, maxKeys: 2 });
    await limits.consume("ann");
    vi.advanceTimersByTime(30_000);
    await limits.consume("bob");
    vi.advanceTimersByTime(40_000);
    for (const key of ["ann", "cid"]) await limits.consume(key);
    expect([(await limits.consume("ann")).allowed, (await limits.consume("bob")).allowed]).toEqual([
      false,
      true,
    ]);
  });

  it("counts in the store it is given, by the clock it is given", async () => {
    const asked: unknown[] = [];
    const store = {
      take: (key: string, cost: number) => {
        asked.push([key, cost]);
        return Promise.resolve({ taken: false, used: 5, resetMs: 200 });
      },
    };
    const limits = createRateLimits({ limit: 5, periodSeconds: 60 }, { store, now: () => 0 });
    const { rateLimit } = await limits.consume("ann", 2);
    expect(asked).toEqual([["ann", 2]]);
    expect([rateLimit.reset_at, rateLimit.retry_after]).toEqual(["1970-01-01T00:00:00.200Z", 1]);
  });

  it("passes on a store's failure and serves the next call", async () => {
    let isDown = true;
    const store = {
      take: () =>
        isDown ? Promise.reject(new Error("down")) : Promise.resolve({ taken: true, used: 1, resetMs: 1 }),
    };
    const limits = createRateLimits({ limit: 5, periodSeconds: 60 }, { store });
    await expect(limits.consume("ann")).rejects.toThrow("down");
    isDown = false;
    expect((await limits.consume("ann")).allowed).toBe(true);
  });

  it.each([
    [{ limit: 0, periodSeconds: 60 }, "limit is 0: give a whole number of at least 1."],
    [{ limit: 1.5, periodSeconds: 60 }, "limit is 1.5: give a whole number of at least 1."],
    [{ limit: 1, periodSeconds: 0 }, "periodSeconds is 0: give a whole number from 1 to 2147483."],
    [
      { limit: 1, periodSeconds: 2_147_484 },
      "periodSeconds is 2147484: give a whole number from 1 to 2147483.",
    ],
    [
      { limit: 1, periodSeconds: 60, approachingShare: 2 },
      "approachingShare is 2: give a number from 0 to 1.",
    ],
    [
      { limit: 1, periodSeconds: 60, maxKeys: Number.NaN },
      "maxKeys is NaN: give a whole number of at least 1.",
    ],
  ])("refuses the options %j", (options, message) => {
    expect(() => createRateLimits(options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message }),
    );
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses the cost %d", async (cost) => {
    const refused = createRateLimits({ limit: 1, periodSeconds: 60 }).consume("ann", cost);
    await expect(refused).rejects.toMatchObject({ code: "INVALID_OPTION", details: { option: "cost" } });
  });
});
