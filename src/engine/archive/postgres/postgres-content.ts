// The blocks of an entry, but for the last, which is in the entry's own row. They are written in the transaction that
// announces the entry: a process that dies before its end leaves none.

import { corruptIn } from "../archive-store.ts";
import { BLOCK_BYTES, type Block, toBuffer, unpackBlock } from "../blocks.ts";
import type { Ask } from "./postgres-connection.ts";
import type { PostgresRow } from "./postgres-pool.ts";
import type { PostgresTables } from "./postgres-tables.ts";

export const corrupt = corruptIn("PostgreSQL", "into its tables");

/** Bytes as a column gives them: base64 is a third longer than the bytes, PostgreSQL's own form twice as long. */
export const asText = (column: string): string => `encode(${column}, 'base64')`;

const bytesOf = (text: unknown): Buffer => Buffer.from(String(text), "base64");

/** A part of the content that is at hand. */
export interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** The piece in a row that has `start`, `raw_bytes`, `is_packed` and `block`; CORRUPT if it cannot be unpacked. */
export async function pieceOf(row: PostgresRow, hash: string): Promise<Piece> {
  const rawBytes = Number(row["raw_bytes"]);
  const block: Block = { rawBytes, isCompressed: row["is_packed"] === true, bytes: bytesOf(row["block"]) };
  try {
    return { start: Number(row["start"]), bytes: await unpackBlock(block) };
  } catch (cause) {
    throw corrupt(hash, cause);
  }
}

/** Rows that are read at once, each at most one block. */
const READ_AT_ONCE = 4;

/** Writes and reads the rows of blocks. */
export class PostgresBlocks {
  readonly #tables: PostgresTables;

  constructor(tables: PostgresTables) {
    this.#tables = tables;
  }

  async write(
    ask: Ask,
    upload: string,
    start: number,
    { rawBytes, isCompressed, bytes }: Block,
  ): Promise<void> {
    await ask(
      `INSERT INTO ${this.#tables.blocks} (upload, start, raw_bytes, is_packed, block) VALUES ($1, $2, $3, $4, $5)`,
      [upload, start, rawBytes, isCompressed, toBuffer(bytes)],
    );
  }

  /** The pieces that touch a range, in order, a few at a time: `take` gets each, so that none is held for long. */
  async read(
    upload: string,
    hash: string,
    range: { readonly start: number; readonly end: number },
    take: (piece: Piece) => void,
  ): Promise<void> {
    // No block is longer, so none that begins earlier reaches into the range.
    let after = range.start - BLOCK_BYTES;
    for (;;) {
      const rows = await this.#tables.query(
        `SELECT start, raw_bytes, is_packed, ${asText("block")} AS block FROM ${this.#tables.blocks}
WHERE upload = $1 AND start > $2 AND start < $3 ORDER BY start LIMIT ${READ_AT_ONCE}`,
        [upload, after, range.end],
      );
      for (const row of rows) take(await pieceOf(row, hash));
      if (rows.length < READ_AT_ONCE) return;
      after = Number(rows.at(-1)?.["start"]);
    }
  }

  async remove(ask: Ask, uploads: readonly string[]): Promise<void> {
    if (uploads.length === 0) return;
    await ask(`DELETE FROM ${this.#tables.blocks} WHERE upload = ANY($1::uuid[])`, [uploads]);
  }
}
