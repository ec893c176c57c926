// What replicas keep in Redis for each other's pages: the calls of the last hour, the totals of each replica, who is
// there, and the settings that were changed on a page. Everything is bounded and expires by itself.

import type { SharedRedis } from "../../../../engine/archive/redis/shared-redis.ts";
import type { RedisReply } from "../../../../engine/archive/redis/redis-client.ts";

/** How long calls, and the totals of a replica that has gone, are kept. */
export const KEPT_MS = 3_600_000;
/** The most calls that are kept: some 30 MB of Redis. */
export const MAX_CALLS = 50_000;
/** Changed settings outlive the last replica by this much, so that a restart of all at once keeps them. */
const SETTINGS_MS = 60_000;
/** A replica that was not heard of for longer has gone. */
const ALIVE_MS = 15_000;

/** How long a question and its answer are kept: the page does not wait longer. */
const ASKED_MS = 10_000;

/** The longest totals that are read: 200 tools have some 200 KiB. */
const MAX_TOTALS_BYTES = 4 * 1024 * 1024;

const publish = `
local now = redis.call('TIME')
local ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
for at = 3, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'call', ARGV[at]) end
-- Redis before 6.2 cannot: there the number of calls is the only limit until the key expires.
redis.pcall('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', ms - tonumber(ARGV[2])))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return ms
`;

const look = `
local now = redis.call('TIME')
local ms = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
redis.call('ZADD', KEYS[2], string.format('%.0f', ms), ARGV[3])
local oldest = string.format('%.0f', ms - tonumber(ARGV[4]))
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', oldest)) do
  redis.call('HDEL', KEYS[5], gone)
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', oldest)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('HSET', KEYS[5], ARGV[3], ARGV[7])
-- A replica that finds another one knows that everything before it is lost.
redis.call('HSETNX', KEYS[5], '', string.format('%.0f', tonumber(now[1]) * 1000000 + tonumber(now[2])))
redis.call('PEXPIRE', KEYS[5], ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
local asked = {}
for at = 1, 20 do
  local one = redis.call('RPOP', KEYS[4])
  if not one then break end
  asked[at] = one
end
local from = ARGV[1]
if from == '' then from = string.format('%.0f-0', ms - tonumber(ARGV[4])) end
local calls = redis.call('XREAD', 'COUNT', ARGV[2], 'STREAMS', KEYS[1], from)
local entries = {}
if calls then entries = calls[1][2] end
local there = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
local version = redis.call('HGET', KEYS[3], 'version')
local settings = {}
if version and version ~= ARGV[6] then settings = redis.call('HGETALL', KEYS[3]) end
return { string.format('%.0f', ms), entries, there, version or '', settings, asked, redis.call('HGETALL', KEYS[5]) }
`;

const ask = `
redis.call('LPUSH', KEYS[1], ARGV[1])
-- A replica that is gone answers nothing, and must not be asked without end.
redis.call('LTRIM', KEYS[1], 0, 99)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return ''
`;

const change = `
for at = 2, #ARGV, 2 do
  if ARGV[1] == 'restore' then redis.call('HSETNX', KEYS[1], ARGV[at], ARGV[at + 1])
  elseif ARGV[at + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[at])
  else redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
end
-- Never a version that was there before, also where Redis has lost the last one.
local now = redis.call('TIME')
redis.call('HSETNX', KEYS[1], 'version', string.format('%.0f', tonumber(now[1]) * 1000))
redis.call('PEXPIRE', KEYS[1], ${SETTINGS_MS})
return tostring(redis.call('HINCRBY', KEYS[1], 'version', 1))
`;

interface SharedEntry {
  /** The position in the list of calls. */
  readonly id: string;
  readonly text: string;
}

/** What a look brings. */
export interface SharedNews {
  /** The clock of Redis. */
  readonly nowMs: number;
  readonly entries: readonly SharedEntry[];
  readonly replicas: readonly { readonly name: string; readonly isAlive: boolean }[];
  /** Empty if no setting was changed, or Redis has lost the changes. */
  readonly version: string;
  /** Every change by its place; undefined if it is known already. */
  readonly settings: ReadonlyMap<string, string> | undefined;
  /** Up to which of its calls each replica has told them. */
  readonly told: ReadonlyMap<string, number>;
  /** Another one than before: Redis has lost everything since. */
  readonly epoch: string;
  /** What other replicas ask this one. */
  readonly asked: readonly string[];
}

/** What a replica says and wants when it looks. */
export interface Looking {
  readonly replica: string;
  /** The last of its calls that it has told. */
  readonly told: number;
  readonly after: string;
  readonly count: number;
  /** Of the settings that it knows. */
  readonly version: string;
}

type Reply = RedisReply | undefined;

function listOf(reply: Reply): readonly RedisReply[] {
  return Array.isArray(reply) ? reply : [];
}

function pairsOf(reply: Reply): readonly (readonly [string, string])[] {
  const texts = listOf(reply).map(String);
  return texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ""] as const] : []));
}

export class SharedPlace {
  readonly #redis: SharedRedis;
  readonly #keys: { readonly calls: string; readonly there: string; readonly settings: string };

  constructor(redis: SharedRedis) {
    this.#redis = redis;
    this.#keys = { calls: this.#key("calls"), there: this.#key("there"), settings: this.#key("settings") };
  }

  /** The hash tag keeps all keys in one slot of a cluster, which scripts need. */
  #key(name: string): string {
    return `{${this.#redis.prefix}:page}:${name}`;
  }

  async tell(texts: readonly string[]): Promise<void> {
    const limits = [String(MAX_CALLS), String(KEPT_MS)];
    await this.#redis.connection.run(publish, [this.#keys.calls], [...limits, ...texts]);
  }

  /** Says that this replica is there and what it has told, and brings what is new since the entry `after`. */
  async look({ replica, told, after, count, version }: Looking): Promise<SharedNews> {
    const { calls, there, settings } = this.#keys;
    const reply = listOf(
      await this.#redis.connection.run(
        look,
        [calls, there, settings, this.#key(`asked:${replica}`), this.#key("told")],
        [after, String(count), replica, String(KEPT_MS), String(SETTINGS_MS), version, String(told)],
      ),
    );
    const nowMs = Number(String(reply[0]));
    const changed = pairsOf(reply[4]).filter(([place]) => place !== "version");
    const now = String(reply[3]);
    const counts = new Map(pairsOf(reply[6]));
    return {
      nowMs,
      entries: listOf(reply[1]).map((entry) => {
        const [id, fields] = listOf(entry);
        return { id: String(id), text: String(listOf(fields)[1]) };
      }),
      replicas: pairsOf(reply[2]).map(([name, seen]) => ({ name, isAlive: nowMs - Number(seen) < ALIVE_MS })),
      version: now,
      asked: listOf(reply[5]).map(String),
      epoch: counts.get("") ?? "",
      told: new Map([...counts].flatMap(([name, told]) => (name === "" ? [] : [[name, Number(told)]]))),
      settings: now !== "" && now !== version ? new Map(changed) : undefined,
    };
  }

  /** The newest totals of this replica; they outlive it. */
  async keepTotals(replica: string, totals: string): Promise<void> {
    await this.#redis.connection.send("SET", this.#key(`totals:${replica}`), totals, "PX", String(KEPT_MS));
  }

  async totalsOf(replica: string): Promise<string | undefined> {
    const key = this.#key(`totals:${replica}`);
    const kept = await this.#redis.connection.send("GET", key);
    if (kept === null || Array.isArray(kept) || typeof kept === "number") return undefined;
    const text = String(kept);
    return text.length <= MAX_TOTALS_BYTES ? text : undefined;
  }

  /** Puts a question to another replica. */
  async ask(replica: string, question: string): Promise<void> {
    await this.#redis.connection.run(ask, [this.#key(`asked:${replica}`)], [question, String(ASKED_MS)]);
  }

  async answer(id: string, text: string): Promise<void> {
    await this.#redis.connection.send("SET", this.#key(`answer:${id}`), text, "PX", String(ASKED_MS));
  }

  /** The answer to a question, if it is there; it is taken away with that. */
  async answerTo(id: string): Promise<string | undefined> {
    const key = this.#key(`answer:${id}`);
    const given = await this.#redis.connection.send("GET", key);
    if (given === null) return undefined;
    await this.#redis.connection.send("DEL", key);
    return String(given);
  }

  /** Writes changes by their places, an empty text takes one back; the new version. */
  async change(changes: Iterable<readonly [string, string]>, isRestoring = false): Promise<string> {
    const words = [isRestoring ? "restore" : "change", ...[...changes].flat()];
    return String(await this.#redis.connection.run(change, [this.#keys.settings], words));
  }
}
