// Removes what expired, then the least recently used beyond the limit. Any process may sweep at any time: each batch is a
// transaction, and entries that another process is removing are passed over.

import type { SweepReport } from "../archive-store.ts";
import type { Ask } from "./postgres-connection.ts";
import type { PostgresBlocks } from "./postgres-content.ts";
import { NOW } from "./postgres-index.ts";
import type { PostgresValue } from "./postgres-pool.ts";
import type { PostgresTables } from "./postgres-tables.ts";

export interface SweepRules {
  /** The values of $1 and $2: the time of the whole sweep, or null for PostgreSQL's, and the longest lifetime, or null. */
  readonly clock: readonly [number | null, number | null];
  /** `Infinity`: no limit. */
  readonly maxBytes: number;
  /** How many bytes stay if there were more than `maxBytes`. */
  readonly keepBytes: number;
}

interface Removed {
  readonly count: number;
  readonly bytes: number;
}

interface Totals {
  readonly entries: number;
  readonly storedBytes: number;
}

/** Entries that one transaction removes: few enough that a put of one of them does not wait for long. */
const BATCH_ENTRIES = 500;

/** Batches between two looks at how much there is: other processes remove and put too. */
const BATCHES_AT_ONCE = 10;

/** What is put during a sweep is stored after the sweep's time, and does not come from the future. */
const AHEAD_MS = 600_000;

export class PostgresSweep {
  readonly #tables: PostgresTables;
  readonly #blocks: PostgresBlocks;

  constructor(tables: PostgresTables, blocks: PostgresBlocks) {
    this.#tables = tables;
    this.#blocks = blocks;
  }

  async run({ clock, maxBytes, keepBytes }: SweepRules): Promise<SweepReport> {
    await this.#dateAnew(clock);
    const expired = await this.#removeExpired(clock);
    const evicted = maxBytes === Number.POSITIVE_INFINITY ? none : await this.#evict(maxBytes, keepBytes);
    return {
      expired: expired.count,
      evicted: evicted.count,
      freedBytes: expired.bytes + evicted.bytes,
      ...(await this.#tables.upkeep((ask) => this.#totals(ask))),
    };
  }

  /** After the clock was set back: what seems stored in the future counts as stored now. */
  async #dateAnew([now]: SweepRules["clock"]): Promise<void> {
    const text = `UPDATE ${this.#tables.entries} SET stored_at = ${NOW}, expires_at = ${NOW} + (expires_at - stored_at), used_at = least(used_at, ${NOW})
WHERE stored_at > ${NOW} + ${AHEAD_MS}`;
    await this.#tables.upkeep((ask) => ask(text, [now]));
  }

  async #removeExpired([now, maxTtlMs]: SweepRules["clock"]): Promise<Removed> {
    const ended = await this.#removeUntil("expires_at", NOW, [now]);
    if (maxTtlMs === null) return ended;
    return sum(ended, await this.#removeUntil("stored_at", `${NOW} - $2::bigint`, [now, maxTtlMs]));
  }

  /** In the order of an index: each batch would otherwise pass what those before it have removed. */
  async #removeUntil(column: string, end: string, values: readonly PostgresValue[]): Promise<Removed> {
    const doomed = `SELECT tenant, hash FROM ${this.#tables.entries} WHERE ${column} <= ${end} ORDER BY ${column} LIMIT ${BATCH_ENTRIES} FOR UPDATE SKIP LOCKED`;
    let all = none;
    for (;;) {
      const removed = await this.#tables.upkeep((ask) => this.#remove(ask, doomed, values));
      all = sum(all, removed);
      if (removed.count < BATCH_ENTRIES) return all;
    }
  }

  async #evict(maxBytes: number, keepBytes: number): Promise<Removed> {
    let all = none;
    for (;;) {
      const removed = await this.#tables.upkeep((ask) => this.#evictSome(ask, maxBytes, keepBytes));
      all = sum(all, removed);
      if (removed.count < BATCH_ENTRIES * BATCHES_AT_ONCE) return all;
    }
  }

  /** Alone, because two that measure at once would both remove what is too much. */
  async #evictSome(ask: Ask, maxBytes: number, keepBytes: number): Promise<Removed> {
    await this.#tables.alone(ask, "room");
    const { storedBytes } = await this.#totals(ask);
    const tooMuch = storedBytes > maxBytes ? storedBytes - keepBytes : 0;
    const oldest = `SELECT tenant, hash, stored_bytes, used_at FROM ${this.#tables.entries} ORDER BY used_at, tenant, hash LIMIT ${BATCH_ENTRIES} FOR UPDATE SKIP LOCKED`;
    const before = "sum(stored_bytes) OVER (ORDER BY used_at, tenant, hash) - stored_bytes AS before";
    const doomed = `SELECT tenant, hash FROM (SELECT tenant, hash, ${before} FROM (${oldest}) AS oldest) AS ranked WHERE before < $1`;
    let all = none;
    for (let batch = 0; batch < BATCHES_AT_ONCE && all.bytes < tooMuch; batch++) {
      const removed = await this.#remove(ask, doomed, [tooMuch - all.bytes]);
      all = sum(all, removed);
      if (removed.count === 0) break;
    }
    return all;
  }

  /** Removes the entries that a query names, and their blocks. */
  async #remove(ask: Ask, doomed: string, values: readonly PostgresValue[]): Promise<Removed> {
    const rows = await ask(
      `WITH doomed AS MATERIALIZED (${doomed})
DELETE FROM ${this.#tables.entries} AS entry USING doomed
WHERE entry.tenant = doomed.tenant AND entry.hash = doomed.hash RETURNING entry.upload, entry.stored_bytes`,
      values,
    );
    const uploads = rows.map(({ upload }) => upload).filter((upload) => typeof upload === "string");
    await this.#blocks.remove(ask, uploads);
    return { count: rows.length, bytes: rows.reduce((bytes, row) => bytes + Number(row["stored_bytes"]), 0) };
  }

  async #totals(ask: Ask): Promise<Totals> {
    const text = `SELECT count(*) AS entries, coalesce(sum(stored_bytes), 0) AS bytes FROM ${this.#tables.entries}`;
    const [row] = await ask(text);
    return { entries: Number(row?.["entries"]), storedBytes: Number(row?.["bytes"]) };
  }
}

const none: Removed = { count: 0, bytes: 0 };

function sum(one: Removed, other: Removed): Removed {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes };
}
