import type { ArchiveEntry, ListedEntry, SweepReport } from "../archive-store.ts";
import { toBuffer } from "../blocks.ts";
import { type IndexTimes, tenantKey } from "../store-rules.ts";
import {
  type RedisBlocks,
  type RedisDescription,
  type RedisEntry,
  type Upload,
  readDescription,
} from "./redis-blocks.ts";
import type { RedisArgument, RedisReply } from "./redis-client.ts";
import type { RedisConnection } from "./redis-connection.ts";

export interface OpenedEntry extends RedisEntry {
  /** The block, if the entry has only one. */
  readonly onlyBlock: Buffer | undefined;
}

const PAGE_ENTRIES = 200;

/** Which entries exist, their tenants, and when each was last used. All keys with its prefix are in one slot. */
export class RedisIndex {
  private readonly connection: RedisConnection;
  private readonly blocks: RedisBlocks;
  /** The beginning of the key of an entry's last block. */
  readonly blockStart: string;
  private readonly entryStart: string;
  private readonly keys: readonly string[];

  private readonly times: IndexTimes;

  constructor(connection: RedisConnection, blocks: RedisBlocks, prefix: string, times: IndexTimes) {
    this.times = times;
    this.connection = connection;
    this.blocks = blocks;
    this.entryStart = `${prefix}:entry:`;
    this.blockStart = `${prefix}:block:`;
    this.keys = ["names", "uses", "ends", "sizes", "bytes"].map((name) => `${prefix}:${name}`);
  }

  private member(tenant: string, hash: string): string {
    return `${tenantKey(tenant)}/${hash}`;
  }

  async announce(
    tenant: string,
    description: RedisDescription,
    last: Upload["last"],
    ttlMs: number,
  ): Promise<ArchiveEntry> {
    const { upload, packed, rawBytes, hash, bytes, storedBytes, contentType } = description;
    // Written out, because a script reads the first keys by their position.
    const text = JSON.stringify({ upload, packed, rawBytes, hash, bytes, storedBytes, contentType });
    const key = `${this.blockStart}${upload}:${packed.length - 1}`;
    const block = last === undefined ? [] : [key, toBuffer(last.bytes), String(last.ttlMs)];
    const member = this.member(tenant, hash);
    const reply = await this.run(announceScript, member, text, String(ttlMs), String(storedBytes), ...block);
    const [kept, before] = listOf(reply);
    await this.dropBlocks(before);
    return readDescription(String(kept), hash).entry;
  }

  async open(tenant: string, hash: string): Promise<OpenedEntry | undefined> {
    const reply = await this.run(openScript, this.member(tenant, hash), this.blockStart);
    const [found, block] = listOf(reply);
    if (!Buffer.isBuffer(found)) return undefined;
    const onlyBlock = Buffer.isBuffer(block) ? block : undefined;
    return { ...readDescription(found.toString(), hash), onlyBlock };
  }

  async has(tenant: string, hash: string): Promise<boolean> {
    return (await this.run(hasScript, this.member(tenant, hash))) === 1;
  }

  async *list(tenant: string | undefined, hashPrefix: string): AsyncGenerator<ListedEntry> {
    const start = tenant === undefined ? undefined : this.member(tenant, hashPrefix);
    for await (const page of this.pages(start)) {
      for (const [member, found, usedAtUs] of page) {
        const [key = "", hash = ""] = String(member).split("/");
        const read = Buffer.isBuffer(found) ? readable(found.toString(), hash, hashPrefix !== "") : undefined;
        if (read === undefined) continue;
        const { entry, description } = read;
        const lastUsedAtMs = Math.floor(Number(usedAtUs) / 1_000);
        yield { ...entry, tenantKey: key, storedBytes: description.storedBytes, lastUsedAtMs };
      }
    }
  }

  async delete(tenant: string, hash: string): Promise<boolean> {
    const [found, before] = listOf(await this.run(deleteScript, this.member(tenant, hash)));
    await this.dropBlocks(before);
    return Buffer.isBuffer(found);
  }

  /** Removes the least recently used until at most `maxBytes` are kept. */
  async evict(maxBytes: number): Promise<{ readonly evicted: number; readonly freedBytes: number }> {
    let [evicted, freedBytes] = [0, 0];
    for (;;) {
      const removed = listOf(await this.run(evictScript, String(maxBytes), String(PAGE_ENTRIES)));
      for (const item of removed) {
        const [found, size] = listOf(item);
        freedBytes += Number(size);
        await this.dropBlocks(found);
      }
      evicted += removed.length;
      if (removed.length < PAGE_ENTRIES) return { evicted, freedBytes };
    }
  }

  async sweep(maxBytes: number | undefined): Promise<SweepReport> {
    let [expired, expiredBytes] = [0, 0];
    for await (const page of this.pages(undefined)) {
      const members = page.map(([member]) => String(member));
      for (const item of listOf(await this.run(pruneScript, ...members))) {
        const [outlived, size] = listOf(item);
        expired += 1;
        expiredBytes += Number(size);
        await this.dropBlocks(outlived);
      }
    }
    const { evicted, freedBytes } =
      maxBytes === undefined ? { evicted: 0, freedBytes: 0 } : await this.evict(maxBytes);
    const [names = "", , , , bytes = ""] = this.keys;
    const entries = Number(await this.connection.send("ZCARD", names));
    const storedBytes = Number(await this.connection.send("GET", bytes));
    return { expired, evicted, freedBytes: expiredBytes + freedBytes, entries, storedBytes };
  }

  /** Members with this beginning, in the order of their names, with what is known of each. */
  private async *pages(start: string | undefined): AsyncGenerator<readonly (readonly RedisReply[])[]> {
    // Only hex digits follow, and all of them come before "g".
    const end = start === undefined ? "+" : `(${start}g`;
    let from = start === undefined ? "-" : `[${start}`;
    for (;;) {
      const page = listOf(await this.run(pageScript, from, end, String(PAGE_ENTRIES))).map(listOf);
      if (page.length > 0) yield page;
      if (page.length < PAGE_ENTRIES) return;
      from = `(${String(page.at(-1)?.[0])}`;
    }
  }

  /** Removes the blocks of an entry that was removed; blocks that cannot be read or removed expire. */
  private async dropBlocks(kept: RedisReply | undefined): Promise<void> {
    const [, upload, packed] = /^\d+ \d+ {"upload":"([0-9a-f]+)","packed":"([01]*)"/.exec(String(kept)) ?? [];
    if (upload === undefined || packed === undefined) return;
    // The entry itself is already gone, which is what the caller wanted.
    await this.blocks.remove(upload, packed.length, this.blockStart).catch(() => undefined);
  }

  private run(script: string, ...args: readonly RedisArgument[]): Promise<RedisReply> {
    const { now, maxTtlMs } = this.times;
    const times = [String(now?.() ?? ""), String(maxTtlMs ?? "")];
    return this.connection.run(script, this.keys, [this.entryStart, ...times, ...args]);
  }
}

/** A listing skips an unreadable entry; a request for the entry throws. */
function readable(text: string, hash: string, isAsked: boolean): RedisEntry | undefined {
  try {
    return readDescription(text, hash);
  } catch (error) {
    if (isAsked) throw error;
    return undefined;
  }
}

function listOf(reply: RedisReply | undefined): readonly RedisReply[] {
  return Array.isArray(reply) ? (reply as readonly RedisReply[]) : [];
}

// Operations that must be atomic in Redis. Times come from Redis unless a test gives one, so that processes
// with different clocks agree. The scripts make an entry's key from its member; in a Redis Cluster it has the
// hash tag of KEYS.

/**
 * KEYS: names (every member, by name), uses (by last use), ends (by expiry), sizes, bytes. ARGV[1] is the
 * beginning of an entry's key; ARGV[2] is the time in milliseconds, or empty; ARGV[3] is the longest lifetime in
 * milliseconds, or empty. The arguments of a script follow.
 */
const index = `
local names, uses, ends, sizes, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local entryOf = function(member) return ARGV[1] .. member end
-- Plain tostring keeps 14 digits only.
local whole = function(number) return string.format('%.0f', number) end
local clock = redis.call('TIME')
local nowUs = ARGV[2] == '' and clock[1] * 1000000 + clock[2] or tonumber(ARGV[2]) * 1000
local nowMs = math.floor(nowUs / 1000)
local stamp = function(member, description, ttlMs)
  local kept = whole(nowMs) .. ' ' .. whole(nowMs + ttlMs) .. ' ' .. description
  redis.call('SET', entryOf(member), kept, 'PX', whole(ttlMs))
  redis.call('ZADD', ends, whole(nowMs + ttlMs), member)
  return kept
end
local look = function(member)
  local kept = redis.call('GET', entryOf(member))
  local storedAt, expiresAt, description = string.match(kept or '', '^(%d+) (%d+) (.*)$')
  if not description then return kept end
  if nowMs >= tonumber(expiresAt) then
    redis.call('DEL', entryOf(member))
    return false
  end
  -- Kept for longer than now allowed. A sweep removes it: its blocks must go with it.
  if ARGV[3] ~= '' and expiresAt - storedAt > tonumber(ARGV[3]) then
    if nowMs >= storedAt + tonumber(ARGV[3]) then return false end
    kept = storedAt .. ' ' .. whole(storedAt + tonumber(ARGV[3])) .. ' ' .. description
    expiresAt = storedAt + tonumber(ARGV[3])
  end
  -- The clock went back: it lives one lifetime from here, not longer.
  if nowMs < tonumber(storedAt) then return stamp(member, description, expiresAt - storedAt) end
  return kept
end
local forget = function(member)
  local size = redis.call('HGET', sizes, member)
  redis.call('ZREM', names, member)
  redis.call('ZREM', uses, member)
  redis.call('ZREM', ends, member)
  if not size then return 0 end
  redis.call('HDEL', sizes, member)
  redis.call('DECRBY', bytes, size)
  return tonumber(size)
end
`;

/**
 * Member, description, ttlMs, stored bytes, then a block's key, the block and its lifetime. Returns the
 * entry, and its earlier version.
 */
const announceScript = `${index}
local member = ARGV[4]
local before = redis.call('GET', entryOf(member))
if ARGV[8] then redis.call('SET', ARGV[8], ARGV[9], 'PX', ARGV[10]) end
local kept = stamp(member, ARGV[5], tonumber(ARGV[6]))
redis.call('ZADD', names, 0, member)
redis.call('ZADD', uses, whole(nowUs), member)
local sizeBefore = redis.call('HGET', sizes, member) or 0
redis.call('HSET', sizes, member, ARGV[7])
redis.call('INCRBY', bytes, ARGV[7] - sizeBefore)
-- Redis drops what expires by itself; its traces go a few at a time.
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', whole(nowMs), 'LIMIT', 0, 20)) do
  if not look(ended) then forget(ended) end
end
return { kept, before }
`;

/** Member, beginning of a block's key. Returns the entry and, if there is only one, its block. */
const openScript = `${index}
local kept = look(ARGV[4])
if not kept then return false end
redis.call('ZADD', uses, 'XX', whole(nowUs), ARGV[4])
local upload = string.match(kept, '^%d+ %d+ {"upload":"(%x+)","packed":"[01]"')
return { kept, upload and redis.call('GET', ARGV[5] .. upload .. ':0') }
`;

/** Member. */
const hasScript = `${index}
return look(ARGV[4]) and 1 or 0
`;

/** Lower and upper bound by name, count. Returns members with their entry and last use. */
const pageScript = `${index}
local page = {}
for _, member in ipairs(redis.call('ZRANGEBYLEX', names, ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])) do
  page[#page + 1] = { member, look(member), redis.call('ZSCORE', uses, member) }
end
return page
`;

/** Member. Returns the removed entry, if it still lived, and what was stored of it. */
const deleteScript = `${index}
local before = redis.call('GET', entryOf(ARGV[4]))
local kept = look(ARGV[4])
redis.call('DEL', entryOf(ARGV[4]))
forget(ARGV[4])
return { kept, before }
`;

/** Members. Removes those that expired, that lived too long or that Redis has dropped; returns what is left of each, with its size. */
const pruneScript = `${index}
local removed = {}
for position = 4, #ARGV do
  local member = ARGV[position]
  local kept = redis.call('GET', entryOf(member))
  if not look(member) then
    redis.call('DEL', entryOf(member))
    removed[#removed + 1] = { kept, forget(member) }
  end
end
return removed
`;

/** Bytes to keep, most to remove at once. Removes the least recently used; returns them, with sizes. */
const evictScript = `${index}
local removed = {}
while #removed < tonumber(ARGV[5]) and tonumber(redis.call('GET', bytes) or '0') > tonumber(ARGV[4]) do
  local oldest = redis.call('ZRANGE', uses, 0, 0)[1]
  if not oldest then break end
  local kept = redis.call('GET', entryOf(oldest))
  redis.call('DEL', entryOf(oldest))
  removed[#removed + 1] = { kept, forget(oldest) }
end
return removed
`;
