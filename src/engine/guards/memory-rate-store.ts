import { RateLimiterMemory } from "rate-limiter-flexible";
import { assertNumber } from "../../contract/contract-error.ts";
import type { RateStore, RateTake } from "./rate-store.ts";

export interface MemoryRateStoreOptions {
  readonly limit: number;
  readonly periodSeconds: number;
  /** Beyond this many running windows the oldest is forgotten, and its key starts again. */
  readonly maxKeys?: number;
}

/** Windows of this process; each begins with the first call of its key. */
export function createMemoryRateStore(options: MemoryRateStoreOptions): RateStore {
  const { limit, periodSeconds, maxKeys = 10_000 } = options;
  assertNumber("maxKeys", maxKeys, { min: 1, whole: true });
  const limiter = new RateLimiterMemory({ points: limit, duration: periodSeconds });
  const periodMs = periodSeconds * 1000;
  // All windows are equally long, so the order of opening is the order of ending.
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
    // The limiter counts refused calls too, so the counter is read before each call; calls take turns, so that nothing happens between reading and counting.
    take(key, cost) {
      const taking = turn.then(() => takeInTurn(key, cost));
      turn = taking.catch(() => undefined);
      return taking;
    },
  };
}
