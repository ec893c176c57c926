import { RateLimiterMemory } from "rate-limiter-flexible";
import { MAX_TIMER_MS, assertNumber } from "../../core/contract/contract-error.ts";
import type { RateLimit } from "../../core/contract/meta.ts";

interface RateLimitsOptions {
  readonly limit: number;
  readonly periodSeconds: number;
  /** The rest of the quota counts as low at or below this share of the limit. */
  readonly approachingShare?: number;
  readonly maxKeys?: number;
}

interface RateLimitsDeps {
  readonly store?: RateStore;
  readonly now?: () => number;
}

interface RateVerdict {
  readonly allowed: boolean;
  readonly rateLimit: RateLimit;
  readonly retryAfterSeconds?: number;
  /** The call passed and few are left, so it gets RATE_LIMIT_APPROACHING. */
  readonly isApproaching: boolean;
}

export interface RateLimits {
  consume(key: string, cost?: number): Promise<RateVerdict>;
}

const MAX_PERIOD_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

/** A quota of `limit` cost units for each key and period. A call takes its whole cost or is refused; a refused call costs nothing. */
export function createRateLimits(options: RateLimitsOptions, deps: RateLimitsDeps = {}): RateLimits {
  const { limit, periodSeconds, approachingShare = 0.1 } = options;
  assertNumber("limit", limit, { min: 1, whole: true });
  assertNumber("periodSeconds", periodSeconds, { min: 1, max: MAX_PERIOD_SECONDS, whole: true });
  assertNumber("approachingShare", approachingShare, { min: 0, max: 1 });
  const store = deps.store ?? createMemoryRateStore(options);
  const now = deps.now ?? Date.now;
  const period = periodWords(periodSeconds);

  function refusal(cost: number, take: RateTake): RateVerdict {
    // The cost is more than any window allows, so waiting for the next window would not help.
    const resetMs = cost > limit ? periodSeconds * 1000 : take.resetMs;
    const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
    const rateLimit = { ...quota(take.used, resetMs), retry_after: retryAfterSeconds };
    return { allowed: false, rateLimit, retryAfterSeconds, isApproaching: false };
  }

  function quota(used: number, resetMs: number): RateLimit & { readonly remaining: number } {
    const reset_at = new Date(now() + resetMs).toISOString();
    return { limit, remaining: Math.max(0, limit - used), reset_at, period };
  }

  return {
    async consume(key, cost = 1) {
      assertNumber("cost", cost, { min: 0, whole: true });
      const take = await store.take(key, cost);
      if (!take.taken) return refusal(cost, take);
      const rateLimit = quota(take.used, take.resetMs);
      return { allowed: true, rateLimit, isApproaching: rateLimit.remaining <= limit * approachingShare };
    },
  };
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The words after "requests per": "minute", "90 seconds". */
function periodWords(periodSeconds: number): string {
  const [unit, seconds] = units.find(([, length]) => periodSeconds % length === 0) ?? ["second", 1];
  const count = periodSeconds / seconds;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** The state of one key after a call. */
export interface RateTake {
  readonly taken: boolean;
  /** Cost units taken in the current window. */
  readonly used: number;
  /** Time until the window ends; the whole period if no window is open. */
  readonly resetMs: number;
}

/** Counts cost units for each key and window: in memory for one process, in Redis for several that share it. */
export interface RateStore {
  /** Takes all of `cost` or nothing, and never lets a window exceed the limit. */
  take(key: string, cost: number): Promise<RateTake>;
}

interface MemoryRateStoreOptions {
  readonly limit: number;
  readonly periodSeconds: number;
  /** Beyond this number of open windows, the oldest is dropped, and its key starts again. */
  readonly maxKeys?: number;
}

/** Windows of this process; each opens with the first call of its key. */
export function createMemoryRateStore(options: MemoryRateStoreOptions): RateStore {
  const { limit, periodSeconds, maxKeys = 10_000 } = options;
  assertNumber("maxKeys", maxKeys, { min: 1, whole: true });
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds });
  const periodMs = periodSeconds * 1000;
  // All windows are equally long, so they end in the order in which they opened.
  const openedAt = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();

  async function open(key: string): Promise<void> {
    const now = Date.now();
    openedAt.delete(key);
    openedAt.set(key, now);
    for (const [oldest, since] of openedAt) {
      if (openedAt.size <= maxKeys && now - since < periodMs) return;
      openedAt.delete(oldest);
      await limiter.delete(oldest);
    }
  }

  async function takeInTurn(key: string, cost: number): Promise<RateTake> {
    const seen = await limiter.get(key);
    const running = seen !== null && seen.msBeforeNext > 0 ? seen : undefined;
    const used = running?.consumedPoints ?? 0;
    if (used + cost > limit) return { taken: false, used, resetMs: running?.msBeforeNext ?? periodMs };
    const after = await limiter.consume(key, cost);
    if (after.isFirstInDuration) await open(key);
    return { taken: true, used: after.consumedPoints, resetMs: after.msBeforeNext };
  }

  return {
    // The limiter counts refused calls too, so the counter is read before each call. Calls run one after
    // another, so that nothing happens between reading and counting.
    take(key, cost) {
      const taking = turn.then(() => takeInTurn(key, cost));
      turn = taking.catch(() => undefined);
      return taking;
    },
  };
}
