import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { createRateLimits } from "./rate-limits.ts";

const runs = lawRuns(1_000);
const start = Date.parse("2026-01-31T12:00:00Z");
const limit = fc.integer({ min: 1, max: 12 });
const periodSeconds = fc.integer({ min: 1, max: 5 });
const key = fc.constantFrom("ann", "bob", "__proto__");
const call = fc.record({
  key,
  cost: fc.nat({ max: 14 }),
  waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 6_000 }), fc.constantFrom(999, 1_000, 1_001)),
});

interface ModelWindow {
  readonly endsAt: number;
  readonly used: number;
}

beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: start }));
afterEach(() => vi.useRealTimers());

describe("createRateLimits", () => {
  test("allows a call exactly when its window still holds its cost, for any costs and times", () =>
    fc.assert(
      fc.asyncProperty(
        limit,
        periodSeconds,
        fc.array(call, { maxLength: 25 }),
        async (limit, seconds, calls) => {
          const limits = createRateLimits({ limit, periodSeconds: seconds });
          const windows = new Map<string, ModelWindow>();
          for (const { key, cost, waitMs } of calls) {
            vi.advanceTimersByTime(waitMs);
            const last = windows.get(key);
            const fresh = { endsAt: Date.now() + seconds * 1000, used: 0 };
            const window = last !== undefined && last.endsAt > Date.now() ? last : fresh;
            const allowed = window.used + cost <= limit;
            const used = window.used + (allowed ? cost : 0);
            if (allowed) windows.set(key, { ...window, used });
            const verdict = await limits.consume(key, cost);
            expect(verdict.allowed).toBe(allowed);
            expect(verdict.rateLimit.remaining).toBe(limit - used);
            expect(verdict.rateLimit.retry_after).toBe(verdict.retryAfterSeconds);
            expect(verdict.retryAfterSeconds === undefined).toBe(allowed);
          }
          vi.clearAllTimers();
        },
      ),
      runs,
    ));

  test("never allow more than the limit to calls that arrive together, and never forfeit what is left", () =>
    fc.assert(
      fc.asyncProperty(limit, fc.array(call, { maxLength: 25 }), async (limit, calls) => {
        const limits = createRateLimits({ limit, periodSeconds: 60 });
        const verdicts = await Promise.all(
          calls.map(async ({ key, cost }) => ({ key, cost, ...(await limits.consume(key, cost)) })),
        );
        for (const name of new Set(calls.map((call) => call.key))) {
          const mine = verdicts.filter((verdict) => verdict.key === name);
          const spent = mine.reduce((sum, { allowed, cost }) => sum + (allowed ? cost : 0), 0);
          expect(spent).toBeLessThanOrEqual(limit);
          expect(mine.filter(({ allowed }) => !allowed).every(({ cost }) => spent + cost > limit)).toBe(true);
        }
        vi.clearAllTimers();
      }),
      runs,
    ));

  test("let a refused call through after the wait it was told, unless it costs more than the limit", () =>
    fc.assert(
      fc.asyncProperty(
        limit,
        periodSeconds,
        fc.array(call, { maxLength: 12 }),
        async (limit, seconds, calls) => {
          const limits = createRateLimits({ limit, periodSeconds: seconds });
          for (const { key, cost, waitMs } of calls) {
            vi.advanceTimersByTime(waitMs);
            const { retryAfterSeconds } = await limits.consume(key, cost);
            if (retryAfterSeconds === undefined) continue;
            expect(retryAfterSeconds).toBeLessThanOrEqual(seconds);
            vi.advanceTimersByTime(retryAfterSeconds * 1000);
            expect((await limits.consume(key, cost)).allowed).toBe(cost <= limit);
          }
          vi.clearAllTimers();
        },
      ),
      runs,
    ));
});
