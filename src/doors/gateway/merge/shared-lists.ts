// What servers last listed, kept in Redis for all replicas of a gateway: the same names must reach the same tools,
// whichever replica a request comes to.

import type { SharedRedis } from "../../../engine/archive/redis/shared-redis.ts";
import type { ListedKind, SharedNames } from "./known-lists.ts";

/** A name that no replica has listed for this long is forgotten. */
const KEPT_MS = 86_400_000;
const MAX_NAMES = 10_000;
/** A list does not wait longer for a Redis that is away. */
const WAIT_MS = 1_000;

const exchange = `
local now = redis.call('TIME')
local ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
for at = 3, #ARGV do redis.call('ZADD', KEYS[1], string.format('%.0f', ms), ARGV[at]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', ms - tonumber(ARGV[1])))
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)
`;

/** Shares names by Redis; while it is away, each replica knows its own. */
export function sharedLists({ connection, prefix }: SharedRedis): SharedNames {
  const ask = async (
    server: string,
    kind: ListedKind,
    names: readonly string[],
  ): Promise<readonly string[]> => {
    const key = `${prefix}:lists:${server}:${kind}`;
    const known = await connection.run(exchange, [key], [String(KEPT_MS), String(MAX_NAMES), ...names]);
    return Array.isArray(known) ? known.map(String) : [];
  };
  return async (server, kind, names) => {
    const late = new Promise<readonly string[]>((resolve) => setTimeout(() => resolve([]), WAIT_MS).unref());
    return Promise.race([ask(server, kind, names).catch(() => []), late]);
  };
}
