// Keeps entries in Redis or Valkey for many processes. One script announces an entry after its blocks are
// stored; if a process dies before that, its blocks expire. The hash is checked on every whole read.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { checkOptions } from "../../../core/options/check-options.ts";
import { callback, optionsOf, readable, whole } from "../../../core/options/option-kinds.ts";
import { randomBase64url } from "../../runtime/random-text.ts";
import {
  type ArchiveRead,
  type ArchiveStore,
  type ListedEntry,
  type SweepReport,
  ArchiveError,
  assertServerRuntime,
} from "../archive-store.ts";
import { sha256Hex } from "../../runtime/sha256-hex.ts";
import {
  DEFAULT_TTL_MS,
  type IndexTimes,
  clampRange,
  contentTypeOf,
  isHash,
  isHashPrefix,
  ownTtlOf,
  storeKinds,
} from "../store-rules.ts";
import { REDIS_PREFIX, parseRedisUrl } from "./redis-address.ts";
import { RedisBlocks, corrupt, unpack } from "./redis-blocks.ts";
import type { RedisClient } from "./redis-client.ts";
import { type RedisConnection, createRedisConnection } from "./redis-connection.ts";
import { type OpenedEntry, RedisIndex } from "./redis-index.ts";

/** The bytes of a range, from only the blocks that contain it; undefined if Redis has dropped one of them. */
async function readBlocks(
  blocks: RedisBlocks,
  lastStart: string,
  { description, onlyBlock }: OpenedEntry,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const range = clampRange(start, end, description.bytes);
  const { first, count, offset } = blocksOf(description.rawBytes, range.start, range.end);
  if (count === 0) return new Uint8Array(0);
  const isAtHand = onlyBlock !== undefined;
  const read = isAtHand
    ? [await unpack(description, 0, onlyBlock)]
    : await blocks.read(description, lastStart, first, count);
  if (read === undefined) return undefined;
  const from = range.start - offset;
  const [whole] = read;
  const joined = read.length === 1 && whole !== undefined ? whole : Buffer.concat(read);
  return joined.subarray(from, from + range.end - range.start);
}

interface BlockSpan {
  readonly first: number;
  readonly count: number;
  /** Where the first of them begins. */
  readonly offset: number;
}

function blocksOf(rawBytes: readonly number[], start: number, end: number): BlockSpan {
  let [first, count, offset, at] = [0, 0, 0, 0];
  for (const [position, size] of rawBytes.entries()) {
    const isTouched = at < end && at + size > start;
    if (isTouched && count++ === 0) [first, offset] = [position, at];
    at += size;
  }
  return { first, count: start < end ? count : 0, offset };
}

export interface RedisStoreOptions {
  /**
   * How long an entry lives after its last put. Default: that of the address (`?ttl=1d`), else a week. A given one
   * holds for what was kept before, too.
   */
  readonly ttlMs?: number;
  /**
   * The most bytes to keep; the least recently used are removed first. Default: Redis's own `maxmemory` is
   * the limit. Not in a cluster.
   */
  readonly maxBytes?: number;
  /** The beginning of every key. Stores with the same prefix share everything. */
  readonly prefix?: string;
  /** How long one command, or connecting, may take. Default: 2,000. */
  readonly timeoutMs?: number;
  /** Makes a client that is not connected yet, for options that a URL does not have, such as certificates. */
  readonly connect?: () => RedisClient | Promise<RedisClient>;
  /** Default: Redis's own clock, so that processes agree. */
  readonly now?: () => number;
}

export interface RedisStore extends ArchiveStore {
  /** Used for other shared state too, such as rate limits. Closed with the store. */
  readonly connection: RedisConnection;
  readonly prefix: string;
}

const redisOptions = optionsOf<RedisStoreOptions>({
  ...storeKinds,
  // The beginning of every key.
  prefix: readable(
    (given) => (REDIS_PREFIX.test(given) ? given : undefined),
    "Write 1 to 100 letters, digits or one of _ . : -",
  ),
  timeoutMs: whole({ min: 1, max: 600_000, unit: "milliseconds" }),
  connect: callback,
});

/** A store that every process with the same URL and prefix shares. Connects at its first use. */
export function redisStore(url: string, options: RedisStoreOptions = {}): RedisStore {
  checkOptions("redisStore", redisOptions, options);
  assertServerRuntime("redisStore");
  const address = parseRedisUrl(url);
  // A lifetime that was not chosen says nothing of what others kept for longer.
  const chosenTtlMs = options.ttlMs ?? address.ttlMs;
  const ttlMs = chosenTtlMs ?? DEFAULT_TTL_MS;
  const { maxBytes = address.maxBytes, prefix = address.prefix ?? "waybill", timeoutMs = 2_000 } = options;
  const connection = createRedisConnection(url, { timeoutMs, connect: options.connect });
  if (connection.isCluster) refuseMaxBytes(maxBytes);
  const blocks = new RedisBlocks(connection, prefix);
  const index = new RedisShards(connection, blocks, prefix, { now: options.now, maxTtlMs: chosenTtlMs });

  function allow(storedBytes: number): void {
    if (maxBytes === undefined || storedBytes <= maxBytes) return;
    throw new ArchiveError(
      "TOO_LARGE",
      `The content takes more than the ${maxBytes} bytes the store may keep.`,
    );
  }

  async function open(
    tenant: string,
    hash: string,
    start: number,
    end: number,
  ): Promise<ArchiveRead | undefined> {
    const shard = index.of(hash);
    // A put of the same content replaces the blocks; a reader that looked just before tries once more.
    for (let look = 0; look < 2; look++) {
      const opened = await shard.open(tenant, hash);
      if (opened === undefined) return undefined;
      const bytes = await readBlocks(blocks, shard.blockStart, opened, start, end);
      if (bytes !== undefined) return { entry: opened.entry, bytes };
    }
    return undefined;
  }

  return {
    kind: "redis",
    location: connection.location,
    connection,
    prefix,
    async put(tenant, content, { contentType, ttlMs: given } = {}) {
      const kept = contentTypeOf(contentType);
      const livesMs = ownTtlOf(given, ttlMs) ?? ttlMs;
      const { description, last } = await blocks.upload(content, livesMs, allow);
      const { hash } = description;
      const described = { ...description, contentType: kept };
      const entry = await index.of(hash).announce(tenant, described, last, livesMs);
      if (maxBytes !== undefined) await index.of(hash).evict(maxBytes);
      return { entry };
    },
    async get(tenant, hash) {
      if (!isHash(hash)) return undefined;
      const found = await open(tenant, hash, 0, Number.POSITIVE_INFINITY);
      if (found !== undefined && sha256Hex(found.bytes) !== hash) throw corrupt(hash);
      return found;
    },
    async getRange(tenant, hash, start, end) {
      clampRange(start, end, 0);
      return isHash(hash) ? open(tenant, hash, start, end) : undefined;
    },
    async find(tenant, prefix) {
      const found = [];
      if (!isHashPrefix(prefix)) return [];
      for await (const { tenantKey: _, storedBytes: __, lastUsedAtMs: ___, ...entry } of index.list(
        tenant,
        prefix,
      )) {
        found.push(entry);
      }
      return found;
    },
    has: async (tenant, hash) => isHash(hash) && index.of(hash).has(tenant, hash),
    list: (tenant) => index.list(tenant, ""),
    delete: async (tenant, hash) => isHash(hash) && index.of(hash).delete(tenant, hash),
    sweep: () => index.sweep(maxBytes),
    async secret(name) {
      const key = `${prefix}:secret:${sha256Hex(name)}`;
      // Only the first of all processes sets it; then each process reads the stored one.
      await connection.send("SET", key, randomBase64url(32), "NX");
      return String(await connection.send("GET", key));
    },
    close: () => connection.close(),
  };
}

/** The nodes of a cluster do not know what the others keep. */
function refuseMaxBytes(maxBytes: number | undefined): void {
  if (maxBytes === undefined) return;
  throw new ContractError(
    "INVALID_OPTION",
    "A Redis Cluster has no limit of bytes over all its nodes: leave maxBytes out, and set maxmemory of the nodes.",
    { option: "maxBytes" },
  );
}

/** Enough to spread over the nodes of a large cluster, few enough to search all of them. */
const SHARDS = 64;

/** The shard depends on this many digits of the hash; every handle has more. */
const SHARD_DIGITS = 2;

function shardOf(hash: string): number {
  return Number.parseInt(hash.slice(0, SHARD_DIGITS), 16) % SHARDS;
}

/** The hash tag makes Redis keep all keys of a shard in one slot, which scripts need. */
function shardPrefix(prefix: string, shard: number): string {
  return `{${prefix}:${shard}}`;
}

/** The index of entries: one for a single Redis, several in a cluster, so that every node does part of the work. */
class RedisShards {
  private readonly all: readonly RedisIndex[];

  constructor(connection: RedisConnection, blocks: RedisBlocks, prefix: string, times: IndexTimes) {
    const prefixes = connection.isCluster
      ? Array.from({ length: SHARDS }, (_, shard) => shardPrefix(prefix, shard))
      : [prefix];
    this.all = prefixes.map((own) => new RedisIndex(connection, blocks, own, times));
  }

  /** The index of an entry, by its hash. */
  of(hash: string): RedisIndex {
    const [first] = this.all;
    const found = this.all.length === 1 ? first : this.all[shardOf(hash)];
    if (found === undefined) throw new RangeError("The hash has no shard.");
    return found;
  }

  async *list(tenant: string | undefined, hashPrefix: string): AsyncGenerator<ListedEntry> {
    const isOne = hashPrefix.length >= SHARD_DIGITS || this.all.length === 1;
    for (const shard of isOne ? [this.of(hashPrefix)] : this.all) yield* shard.list(tenant, hashPrefix);
  }

  async sweep(maxBytes: number | undefined): Promise<SweepReport> {
    const total = { expired: 0, evicted: 0, freedBytes: 0, entries: 0, storedBytes: 0 };
    for (const shard of this.all) {
      const { expired, evicted, freedBytes, entries, storedBytes } = await shard.sweep(maxBytes);
      total.expired += expired;
      total.evicted += evicted;
      total.freedBytes += freedBytes;
      total.entries += entries;
      total.storedBytes += storedBytes;
    }
    return total;
  }
}
