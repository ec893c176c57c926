// Keeps entries in PostgreSQL for many processes. One transaction writes the blocks of an entry and announces it, so it is
// there whole or not at all. The hash is checked on every whole read.

import { neededBuiltIn } from "../../runtime/built-in.ts";
import { randomBase64url } from "../../runtime/random-text.ts";
import { sha256Hex } from "../../runtime/sha256-hex.ts";
import {
  type ArchiveContent,
  type ArchiveEntry,
  ArchiveError,
  type ArchivePut,
  type ArchiveRead,
  type ArchiveStore,
  type ListedEntry,
  type PutOptions,
  type SweepReport,
} from "../archive-store.ts";
import { type Block, packedBlocks } from "../blocks.ts";
import {
  type IndexTimes,
  clampRange,
  contentTypeOf,
  isHash,
  isHashPrefix,
  ownTtlOf,
} from "../store-rules.ts";
import { SweepTurns } from "../sweep-turns.ts";
import type { parsePostgresUrl } from "./postgres-address.ts";
import { type Ask, type PostgresConnection, createPostgresConnection } from "./postgres-connection.ts";
import { type Piece, PostgresBlocks, corrupt } from "./postgres-content.ts";
import { type NewEntry, type OpenedEntry, PostgresIndex } from "./postgres-index.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import { PostgresSweep } from "./postgres-sweep.ts";
import { PostgresTables } from "./postgres-tables.ts";

interface DatabaseRules extends IndexTimes {
  readonly ttlMs: number;
  /** `Infinity`: no limit. */
  readonly maxBytes: number;
  readonly schema: string;
  readonly connections: number;
  readonly timeoutMs: number;
  readonly connect: (() => PostgresPool | Promise<PostgresPool>) | undefined;
}

/** What an entry takes besides its content: a row with its places in four indexes. */
const OVERHEAD_BYTES = 400;

const NO_BLOCK: Block = { rawBytes: 0, isCompressed: false, bytes: new Uint8Array(0) };

/** A put of the same content replaces the blocks: a reader that looked just before looks again. */
const MOST_LOOKS = 3;

interface MoreBlocks {
  readonly second: Block;
  readonly next: () => Promise<Block | undefined>;
}

class DatabaseStore implements ArchiveStore {
  readonly kind = "postgres";
  readonly location: string;
  readonly #rules: DatabaseRules;
  readonly #connection: PostgresConnection;
  readonly #tables: PostgresTables;
  readonly #blocks: PostgresBlocks;
  readonly #index: PostgresIndex;
  readonly #turns: SweepTurns;

  constructor(address: ReturnType<typeof parsePostgresUrl>, rules: DatabaseRules) {
    this.#rules = rules;
    this.location = address.location;
    this.#connection = createPostgresConnection(address, rules);
    this.#tables = new PostgresTables(this.#connection, rules.schema, rules.timeoutMs);
    this.#blocks = new PostgresBlocks(this.#tables);
    this.#index = new PostgresIndex(this.#tables, this.#blocks, rules);
    const { maxBytes, now = Date.now } = rules;
    const sweep = new PostgresSweep(this.#tables, this.#blocks);
    this.#turns = new SweepTurns({ maxBytes, now }, (keepBytes) =>
      sweep.run({ clock: this.#index.clock, maxBytes, keepBytes }),
    );
  }

  async put(tenant: string, content: ArchiveContent, options: PutOptions = {}): Promise<ArchivePut> {
    const { ttlMs } = this.#rules;
    const contentType = contentTypeOf(options.contentType);
    const livesMs = ownTtlOf(options.ttlMs, ttlMs) ?? ttlMs;
    const hash = neededBuiltIn("node:crypto").createHash("sha256");
    const blocks = packedBlocks(content, hash);
    let [bytes, storedBytes] = [0, OVERHEAD_BYTES];
    const next = async (): Promise<Block | undefined> => {
      const { done, value } = await blocks.next();
      if (done === true) return undefined;
      bytes += value.rawBytes;
      this.#allow((storedBytes += value.bytes.byteLength));
      return value;
    };
    const entryWith = (last: Block, upload: string | undefined): NewEntry => {
      return { hash: hash.digest("hex"), bytes, storedBytes, contentType, livesMs, last, upload };
    };
    try {
      const first = (await next()) ?? NO_BLOCK;
      const second = await next();
      const entry =
        second === undefined
          ? await this.#announce(tenant, entryWith(first, undefined))
          : await this.#tables.transaction(async (ask) => {
              const rest = { second, next };
              const upload = neededBuiltIn("node:crypto").randomUUID();
              const last = await this.#writeAllButLast(ask, upload, first, rest);
              return this.#index.announce(ask, tenant, entryWith(last, upload));
            });
      return { entry, sweepFailure: this.#turns.wrote(storedBytes) };
    } finally {
      // Content that was not read to its end is told so.
      await blocks.return(undefined);
    }
  }

  async get(tenant: string, hash: string): Promise<ArchiveRead | undefined> {
    const found = await this.getRange(tenant, hash, 0, Number.POSITIVE_INFINITY);
    if (found !== undefined && sha256Hex(found.bytes) !== hash) throw corrupt(hash);
    return found;
  }

  async getRange(tenant: string, hash: string, start: number, end: number): Promise<ArchiveRead | undefined> {
    clampRange(start, end, 0);
    if (!isHash(hash)) return undefined;
    for (let look = 0; look < MOST_LOOKS; look++) {
      const opened = await this.#index.open(tenant, hash, start, end);
      if (opened === undefined) return undefined;
      const bytes = await this.#read(opened, start, end);
      if (bytes !== undefined) return { entry: opened.entry, bytes };
    }
    throw corrupt(hash);
  }

  async find(tenant: string, prefix: string): Promise<readonly ArchiveEntry[]> {
    const found: ArchiveEntry[] = [];
    if (!isHashPrefix(prefix)) return found;
    for await (const { hash, bytes, contentType, storedAtMs, expiresAtMs } of this.#index.list(
      tenant,
      prefix,
    ))
      found.push({ hash, bytes, contentType, storedAtMs, expiresAtMs });
    return found;
  }

  async has(tenant: string, hash: string): Promise<boolean> {
    return isHash(hash) && this.#index.has(tenant, hash);
  }

  list(tenant?: string): AsyncIterable<ListedEntry> {
    return this.#index.list(tenant, "");
  }

  async delete(tenant: string, hash: string): Promise<boolean> {
    return isHash(hash) && this.#index.delete(tenant, hash);
  }

  sweep(): Promise<SweepReport> {
    return this.#turns.run();
  }

  async secret(name: string): Promise<string> {
    const { secrets } = this.#tables;
    const [known] = await this.#tables.query(`SELECT value FROM ${secrets} WHERE name = $1`, [name]);
    if (known !== undefined) return String(known["value"]);
    // Only the first of all processes sets it; then each reads what is kept.
    const made = `INSERT INTO ${secrets} (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
    await this.#tables.query(made, [name, randomBase64url(32)]);
    const [kept] = await this.#tables.query(`SELECT value FROM ${secrets} WHERE name = $1`, [name]);
    return String(kept?.["value"]);
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#turns.idle();
  }

  async #announce(tenant: string, entry: NewEntry): Promise<ArchiveEntry> {
    const announced = await this.#index.announceAlone(tenant, entry);
    return announced ?? this.#tables.transaction((ask) => this.#index.announce(ask, tenant, entry));
  }

  /** Gives the last block. One is on its way while the next is packed. */
  async #writeAllButLast(
    ask: Ask,
    upload: string,
    first: Block,
    { second, next }: MoreBlocks,
  ): Promise<Block> {
    let [held, start, sending] = [first, 0, Promise.resolve()];
    try {
      for (let block: Block | undefined = second; block !== undefined; block = await next()) {
        await sending;
        sending = this.#blocks.write(ask, upload, start, held);
        // Caught here too: otherwise a failure would count as unhandled until the next block is packed.
        sending.catch(() => undefined);
        start += held.rawBytes;
        held = block;
      }
      await sending;
      return held;
    } finally {
      // Before the transaction is undone: a connection takes one statement at a time.
      await sending.catch(() => undefined);
    }
  }

  #allow(storedBytes: number): void {
    const { maxBytes } = this.#rules;
    if (storedBytes <= maxBytes) return;
    throw new ArchiveError(
      "TOO_LARGE",
      `The content takes more than the ${maxBytes} bytes the store may keep.`,
    );
  }

  /** The bytes of a range, from only the blocks that touch it; undefined if one of them is gone. */
  async #read(
    { entry, upload, last, lastStart }: OpenedEntry,
    start: number,
    end: number,
  ): Promise<Uint8Array | undefined> {
    const range = clampRange(start, end, entry.bytes);
    const bytes = new Uint8Array(range.end - range.start);
    let copied = 0;
    const take = (piece: Piece): void => {
      const [from, to] = [Math.max(0, range.start - piece.start), Math.max(0, range.end - piece.start)];
      const part = piece.bytes.subarray(from, to);
      bytes.set(part, piece.start + from - range.start);
      copied += part.byteLength;
    };
    if (upload !== undefined && range.start < Math.min(range.end, lastStart))
      await this.#blocks.read(
        upload,
        entry.hash,
        { start: range.start, end: Math.min(range.end, lastStart) },
        take,
      );
    if (last !== undefined) take(last);
    return copied === bytes.byteLength ? bytes : undefined;
  }
}

/** Loaded by `postgresStore` at its first use. */
export function databaseStore(
  address: ReturnType<typeof parsePostgresUrl>,
  rules: DatabaseRules,
): ArchiveStore {
  return new DatabaseStore(address, rules);
}
