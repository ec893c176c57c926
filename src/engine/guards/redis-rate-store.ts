import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { RedisConnection } from "../archive/redis/redis-connection.ts";
import { sha256Hex, utf16Bytes } from "../runtime/sha256-hex.ts";
import { type RateStore, type RateTake, createMemoryRateStore } from "./rate-limits.ts";

export interface RedisRateStoreOptions {
  readonly limit: number;
  readonly periodSeconds: number;
  /** The prefix of every key; processes with the same prefix share their limits. */
  readonly prefix?: string;
  /** Called each time Redis could not count and this process counted alone. */
  readonly onAway?: (error: unknown) => void;
}

// The limiter's own script counts refused calls too. This script leaves the counter unchanged if the cost
// does not fit, and returns the sum that would have resulted: it is over the limit, so the limiter refuses.
const takeOrLeave = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local cost, periodSeconds, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local isTaken = used + cost <= limit
if isTaken then
  redis.call('SET', KEYS[1], 0, 'EX', periodSeconds, 'NX')
  redis.call('INCRBY', KEYS[1], cost)
end
local leftMs = redis.call('PTTL', KEYS[1])
-- A window without an end would never open again.
if leftMs == -1 then redis.call('EXPIRE', KEYS[1], periodSeconds) end
if leftMs < 0 then leftMs = periodSeconds * 1000 end
return { used + cost, leftMs }
`;

/**
 * Windows that all processes on one Redis share. While Redis is away, each process counts alone, including
 * its own earlier calls of this window.
 */
export function createRedisRateStore(connection: RedisConnection, options: RedisRateStoreOptions): RateStore {
  const { limit, periodSeconds, prefix = "waybill", onAway } = options;
  const alone = createMemoryRateStore(options);
  const limiter = new RateLimiterRedis({
    // The only command that the limiter sends; the connection handles deadline, reconnection and script digest.
    storeClient: {
      eval: (script: string, call: EvalCall) => connection.run(script, call.keys, call.arguments),
    },
    useRedisPackage: true,
    customIncrTtlLuaScript: takeOrLeave,
    keyPrefix: `${prefix}:rate`,
    points: limit,
    duration: periodSeconds,
  });

  async function takeTogether(key: string, cost: number): Promise<RateTake> {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.consume(
        windowKey(key, limit, periodSeconds),
        cost,
      );
      return { taken: true, used: consumedPoints, resetMs: msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { taken: false, used: refusal.consumedPoints - cost, resetMs: refusal.msBeforeNext };
    }
  }

  return {
    async take(key, cost) {
      try {
        const take = await takeTogether(key, cost);
        // Also counted here, so that a window that began with Redis continues without it.
        if (take.taken) await alone.take(key, cost);
        return take;
      } catch (error) {
        onAway?.(error);
        return alone.take(key, cost);
      }
    },
  };
}

interface EvalCall {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Hashed, because a key names a caller; with the limit, because windows with different limits are separate. */
function windowKey(key: string, limit: number, periodSeconds: number): string {
  const name = sha256Hex(utf16Bytes(key)).slice(0, 32);
  return `${limit}/${periodSeconds}:${name}`;
}
