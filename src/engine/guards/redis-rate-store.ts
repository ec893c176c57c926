import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { RedisConnection } from "../archive/redis/redis-connection.ts";
import { sha256Hex, utf16Bytes } from "../runtime/sha256-hex.ts";
import { type RateStore, type RateTake, createMemoryRateStore } from "./rate-limits.ts";

export interface RedisRateStoreOptions {
  readonly limit: number;
  readonly periodSeconds: number;
  /** What every key begins with; processes that share it share their limits. */
  readonly prefix?: string;
  /** Called each time Redis could not count and this process counted alone. */
  readonly onAway?: (error: unknown) => void;
}

// The limiter's own script counts refused calls too. This one leaves the counter alone when the cost does not fit, and
// answers what the sum would have been: over the limit, which the limiter takes for a refusal.
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

/** Windows that all processes on one Redis share. While Redis is away, each process counts for itself, including its own calls of this window. */
export function createRedisRateStore(connection: RedisConnection, options: RedisRateStoreOptions): RateStore {
  const { limit, periodSeconds, prefix = "waybill", onAway } = options;
  const alone = createMemoryRateStore(options);
  const limiter = new RateLimiterRedis({
    // The one command the limiter sends when it consumes; the connection brings deadline, reconnection and digest.
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
        // Counted here as well, so that a window that began with Redis goes on without it.
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

/** Hashed, since a key names a caller; with the limit, since windows of different limits are different windows. */
function windowKey(key: string, limit: number, periodSeconds: number): string {
  const name = sha256Hex(utf16Bytes(key)).slice(0, 32);
  return `${limit}/${periodSeconds}:${name}`;
}
