import type { ListedEntry, SweepReport } from "../archive-store.ts";
import type { RedisBlocks } from "./redis-blocks.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { RedisIndex } from "./redis-index.ts";

/** Enough to spread over the nodes of a large cluster, few enough to look through all of them. */
const SHARDS = 64;

/** What decides the shard: so many digits of the hash, of which every handle has more. */
const SHARD_DIGITS = 2;

function shardOf(hash: string): number {
  return Number.parseInt(hash.slice(0, SHARD_DIGITS), 16) % SHARDS;
}

/** The hash tag makes Redis keep all keys of a shard in one slot, which scripts need. */
function shardPrefix(prefix: string, shard: number): string {
  return `{${prefix}:${shard}}`;
}

/** The index of entries: one for a single Redis, many in a cluster, so that every node has its part of the work. */
export class RedisShards {
  private readonly all: readonly RedisIndex[];

  constructor(
    connection: RedisConnection,
    blocks: RedisBlocks,
    prefix: string,
    now: (() => number) | undefined,
  ) {
    const prefixes = connection.isCluster
      ? Array.from({ length: SHARDS }, (_, shard) => shardPrefix(prefix, shard))
      : [prefix];
    this.all = prefixes.map((own) => new RedisIndex(connection, blocks, own, now));
  }

  /** Where an entry is, by its hash. */
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
