// The rows of entries: which there are, whose they are, until when they live, and when each was last used.

import type { ArchiveEntry, ListedEntry } from "../archive-store.ts";
import { type Block, toBuffer } from "../blocks.ts";
import { type IndexTimes, tenantKey } from "../store-rules.ts";
import type { Ask } from "./postgres-connection.ts";
import { type Piece, type PostgresBlocks, asText, pieceOf } from "./postgres-content.ts";
import type { PostgresRow, PostgresValue } from "./postgres-pool.ts";
import type { PostgresTables } from "./postgres-tables.ts";

// What statements have alike: $1 is the time in milliseconds, or null for PostgreSQL's own clock, so that processes with
// different clocks agree; $2 is the longest lifetime, or null. `least` leaves out what is null.

export const NOW = "coalesce($1::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)";
/** Kept for longer than now allowed, it has ended too. */
const LIVING = `expires_at > ${NOW} AND coalesce(stored_at + $2::bigint > ${NOW}, true)`;
/** After the clock was set back an entry may seem stored in the future: it counts as stored now. */
const STORED = `least(stored_at, ${NOW})`;
const TIMES = `${STORED} AS stored_at, ${STORED} + least(expires_at - stored_at, $2::bigint) AS expires_at`;

/** The precision of "least recently used": a read that would mark an entry anew each time would be a write each time. */
const MARK_MS = 60_000;

const PAGE_ENTRIES = 200;

/** What a put says of an entry. */
export interface NewEntry {
  readonly hash: string;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly contentType: string;
  readonly livesMs: number;
  readonly last: Block;
  /** Names the blocks before the last; undefined if there are none. */
  readonly upload: string | undefined;
}

export interface OpenedEntry {
  readonly entry: ArchiveEntry;
  readonly upload: string | undefined;
  /** Where the last block begins: those before it end there. */
  readonly lastStart: number;
  /** The last block, if the range touches it. */
  readonly last: Piece | undefined;
}

function entryOf(row: PostgresRow, hash: string): ArchiveEntry {
  return {
    hash,
    bytes: Number(row["bytes"]),
    contentType: String(row["content_type"]),
    storedAtMs: Number(row["stored_at"]),
    expiresAtMs: Number(row["expires_at"]),
  };
}

function uploadIn(row: PostgresRow | undefined, column: string): string | undefined {
  const value = row?.[column];
  return typeof value === "string" ? value : undefined;
}

const bytesOfHex = (hex: string): Buffer => Buffer.from(hex, "hex");

/** More than any hash that begins so. */
const LAST_KEY = Buffer.alloc(33, 255);

export class PostgresIndex {
  readonly #tables: PostgresTables;
  readonly #blocks: PostgresBlocks;
  readonly #times: IndexTimes;

  constructor(tables: PostgresTables, blocks: PostgresBlocks, times: IndexTimes) {
    this.#tables = tables;
    this.#blocks = blocks;
    this.#times = times;
  }

  /** The values of $1 and $2. */
  get clock(): readonly [number | null, number | null] {
    return [this.#times.now?.() ?? null, this.#times.maxTtlMs ?? null];
  }

  /**
   * Announces an entry that is one block, in one statement. Undefined if an earlier put of this content has more blocks,
   * which have to go: that is two statements, so `announce` does it.
   */
  async announceAlone(tenant: string, entry: NewEntry): Promise<ArchiveEntry | undefined> {
    const text = `${this.#upsert} WHERE kept.upload IS NULL RETURNING stored_at, expires_at`;
    const [row] = await this.#tables.query(text, this.#valuesOf(tenant, entry));
    return row && announced(row, entry);
  }

  /** Announces an entry when the transaction ends, and removes the blocks that an earlier put of this content left. */
  async announce(ask: Ask, tenant: string, entry: NewEntry): Promise<ArchiveEntry> {
    const text = `${this.#upsert} RETURNING stored_at, expires_at, replaced`;
    const [row = {}] = await ask(text, this.#valuesOf(tenant, entry));
    const replaced = uploadIn(row, "replaced");
    // A statement of its own: it sees what another process has committed while the first one waited for it.
    if (replaced !== undefined) await this.#blocks.remove(ask, [replaced]);
    return announced(row, entry);
  }

  /** The entry if it lives, with its last block if the range touches that. */
  async open(tenant: string, hash: string, start: number, end: number): Promise<OpenedEntry | undefined> {
    const text = `SELECT content_type, bytes, ${TIMES}, upload, raw_bytes, is_packed, bytes - raw_bytes AS start,
  CASE WHEN bytes > $5::bigint AND bytes - raw_bytes < $6::bigint THEN ${asText("block")} END AS block,
  abs(${NOW} - used_at) >= ${MARK_MS} OR stored_at > ${NOW} AS is_marked
FROM ${this.#tables.entries} WHERE tenant = $3 AND hash = $4 AND ${LIVING}`;
    const range = [start, end].map((at) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(at))));
    const [row] = await this.#tables.query(text, [...this.clock, ...this.#keyOf(tenant, hash), ...range]);
    if (row === undefined) return undefined;
    // Who may only read still reads.
    if (row["is_marked"] === true) await this.#mark(tenant, hash).catch(() => undefined);
    return {
      entry: entryOf(row, hash),
      upload: uploadIn(row, "upload"),
      lastStart: Number(row["start"]),
      last: row["block"] === null ? undefined : await pieceOf(row, hash),
    };
  }

  async has(tenant: string, hash: string): Promise<boolean> {
    const text = `SELECT true FROM ${this.#tables.entries} WHERE tenant = $3 AND hash = $4 AND ${LIVING}`;
    return (await this.#tables.query(text, [...this.clock, ...this.#keyOf(tenant, hash)])).length > 0;
  }

  /** Entries in the order of tenants and hashes; of one tenant those whose hash begins so. */
  async *list(tenant: string | undefined, prefix: string): AsyncGenerator<ListedEntry> {
    const text = `SELECT encode(tenant, 'hex') AS tenant, encode(hash, 'hex') AS hash, content_type, bytes, stored_bytes,
  ${TIMES}, least(used_at, ${NOW}) AS used_at
FROM ${this.#tables.entries}
WHERE (tenant, hash) >= ($3::bytea, $4::bytea) AND (tenant, hash) <= ($5::bytea, $6::bytea) AND ${LIVING}
ORDER BY tenant, hash LIMIT ${PAGE_ENTRIES}`;
    const key = tenant === undefined ? undefined : bytesOfHex(tenantKey(tenant));
    const end = [key ?? LAST_KEY, bytesOfHex(prefix.padEnd(64, "f"))];
    let from = [key ?? Buffer.alloc(0), bytesOfHex(prefix.padEnd(64, "0"))];
    for (;;) {
      const rows = await this.#tables.query(text, [...this.clock, ...from, ...end]);
      for (const row of rows) {
        yield {
          ...entryOf(row, String(row["hash"])),
          tenantKey: String(row["tenant"]),
          storedBytes: Number(row["stored_bytes"]),
          lastUsedAtMs: Number(row["used_at"]),
        };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ENTRIES) return;
      // The shortest key that comes after it.
      from = [bytesOfHex(String(last["tenant"])), bytesOfHex(`${String(last["hash"])}00`)];
    }
  }

  /** Whether a living entry was removed. */
  delete(tenant: string, hash: string): Promise<boolean> {
    const text = `DELETE FROM ${this.#tables.entries} WHERE tenant = $3 AND hash = $4 RETURNING upload, ${LIVING} AS lived`;
    return this.#tables.transaction(async (ask) => {
      const [row] = await ask(text, [...this.clock, ...this.#keyOf(tenant, hash)]);
      const upload = uploadIn(row, "upload");
      if (upload !== undefined) await this.#blocks.remove(ask, [upload]);
      return row?.["lived"] === true;
    });
  }

  get #upsert(): string {
    const columns = ["content_type", "bytes", "stored_bytes", "stored_at", "expires_at", "used_at"];
    const all = [...columns, "upload", "raw_bytes", "is_packed", "block"];
    return `INSERT INTO ${this.#tables.entries} AS kept (tenant, hash, ${all.join(", ")})
VALUES ($2, $3, $4, $5, $6, ${NOW}, ${NOW} + $7::bigint, ${NOW}, $8, $9, $10, $11)
ON CONFLICT (tenant, hash) DO UPDATE SET replaced = kept.upload, ${all.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  }

  #valuesOf(tenant: string, entry: NewEntry): readonly PostgresValue[] {
    const { hash, contentType, bytes, storedBytes, livesMs, upload, last } = entry;
    const [now] = this.clock;
    const said = [contentType, bytes, storedBytes, livesMs, upload ?? null];
    const block = [last.rawBytes, last.isCompressed, toBuffer(last.bytes)];
    return [now, ...this.#keyOf(tenant, hash), ...said, ...block];
  }

  #keyOf(tenant: string, hash: string): readonly [Buffer, Buffer] {
    return [bytesOfHex(tenantKey(tenant)), bytesOfHex(hash)];
  }

  async #mark(tenant: string, hash: string): Promise<void> {
    const text = `UPDATE ${this.#tables.entries} SET used_at = ${NOW}, stored_at = ${STORED}, expires_at = ${STORED} + (expires_at - stored_at)
WHERE tenant = $2 AND hash = $3`;
    const [now] = this.clock;
    await this.#tables.query(text, [now, ...this.#keyOf(tenant, hash)]);
  }
}

function announced(row: PostgresRow, { hash, bytes, contentType }: NewEntry): ArchiveEntry {
  return entryOf({ ...row, bytes, content_type: contentType }, hash);
}
