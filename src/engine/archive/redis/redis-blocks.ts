import { neededBuiltIn } from "../../runtime/built-in.ts";
import { randomHex } from "../../runtime/random-text.ts";
import { type ArchiveContent, type ArchiveEntry, corruptIn } from "../archive-store.ts";
import { type Block, packedBlocks, toBuffer, unpackBlock } from "../blocks.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { jsonIn } from "../../../core/json/json-value.ts";
import { isHash } from "../store-rules.ts";

/** Blocks that are sent at once: enough to keep the connection busy, few enough to hold in memory. */
const MOST_IN_FLIGHT = 4;

/** Blocks outlive the entry that names them, so that a reader who has found the entry finds them too. */
const SPARE_MS = 60_000;

export interface Upload {
  readonly description: Omit<RedisDescription, "contentType">;
  /** Not sent yet: the announcement carries it, so that small content takes one round trip. */
  readonly last: { readonly bytes: Uint8Array; readonly ttlMs: number } | undefined;
}

/**
 * Where the blocks of entries are kept. Until an entry names them they belong to none, and expire. The last
 * block of an entry is in the same slot as its index, because one script reads and writes both; the others
 * may be on any node.
 */
export class RedisBlocks {
  private readonly keyStart: string;
  private readonly connection: RedisConnection;

  constructor(connection: RedisConnection, prefix: string) {
    this.connection = connection;
    this.keyStart = `${prefix}:block:`;
  }

  /** Sends all blocks but the last, for an entry that lives this long. `allow` gets the size so far and may throw. */
  async upload(
    content: ArchiveContent,
    livesMs: number,
    allow: (storedBytes: number) => void,
  ): Promise<Upload> {
    const ttlMs = livesMs + SPARE_MS;
    const upload = randomHex(12);
    const hash = neededBuiltIn("node:crypto").createHash("sha256");
    const sent: Promise<unknown>[] = [];
    const [rawBytes, packed]: [number[], string[]] = [[], []];
    const key = (): string => `${this.keyStart}${upload}:${rawBytes.length - 1}`;
    let [storedBytes, held]: [number, Block | undefined] = [0, undefined];
    try {
      for await (const block of packedBlocks(content, hash)) {
        if (held !== undefined) await this.send(sent, key(), held.bytes, ttlMs);
        rawBytes.push(block.rawBytes);
        packed.push(block.isCompressed ? "1" : "0");
        allow((storedBytes += block.bytes.byteLength));
        held = block;
      }
      await Promise.all(sent);
    } catch (error) {
      await Promise.allSettled(sent);
      await this.unlink(upload, rawBytes.length).catch(() => undefined);
      throw error;
    }
    const bytes = rawBytes.reduce((sum, size) => sum + size, 0);
    const last = held === undefined ? undefined : { bytes: held.bytes, ttlMs };
    return {
      description: {
        upload,
        packed: packed.join(""),
        rawBytes,
        hash: hash.digest("hex"),
        bytes,
        storedBytes,
      },
      last,
    };
  }

  /**
   * The content of some blocks in order; undefined if Redis has dropped one. `lastStart` is the beginning of
   * the last one's key.
   */
  async read(
    of: RedisDescription,
    lastStart: string,
    first: number,
    count: number,
  ): Promise<readonly Uint8Array[] | undefined> {
    const read: Uint8Array[] = [];
    for (let from = first; from < first + count; from += MOST_IN_FLIGHT) {
      const length = Math.min(MOST_IN_FLIGHT, first + count - from);
      const positions = Array.from({ length }, (_, offset) => from + offset);
      const group = await Promise.all(positions.map((position) => this.readOne(of, lastStart, position)));
      for (const bytes of group) {
        if (bytes === undefined) return undefined;
        read.push(bytes);
      }
    }
    return read;
  }

  /** Removes the blocks of an entry; `lastStart` is the beginning of the last one's key. */
  async remove(upload: string, count: number, lastStart: string): Promise<void> {
    if (count === 0) return;
    const last = `${lastStart}${upload}:${count - 1}`;
    if (this.connection.isCluster) {
      await Promise.all([this.connection.send("UNLINK", last), this.unlink(upload, count - 1)]);
    } else await this.unlink(upload, count);
  }

  /** In a cluster one by one, because each key may be on another node. */
  private async unlink(upload: string, count: number): Promise<void> {
    if (count === 0) return;
    const keys = Array.from({ length: count }, (_, at) => `${this.keyStart}${upload}:${at}`);
    if (this.connection.isCluster) await Promise.all(keys.map((key) => this.connection.send("UNLINK", key)));
    else await this.connection.send("UNLINK", ...keys);
  }

  private async readOne(
    of: RedisDescription,
    lastStart: string,
    position: number,
  ): Promise<Uint8Array | undefined> {
    const start = position === of.packed.length - 1 ? lastStart : this.keyStart;
    const bytes = await this.connection.send("GET", `${start}${of.upload}:${position}`);
    return Buffer.isBuffer(bytes) ? unpack(of, position, bytes) : undefined;
  }

  private async send(sent: Promise<unknown>[], key: string, bytes: Uint8Array, ttlMs: number): Promise<void> {
    const sending = this.connection.send("SET", key, toBuffer(bytes), "PX", String(ttlMs));
    // Caught here too: otherwise a failure would count as unhandled until the last block is packed.
    sending.catch(() => undefined);
    sent.push(sending);
    if (sent.length >= MOST_IN_FLIGHT) await sent.shift();
  }
}

/** A block's content; CORRUPT if its length differs from the entry's, or if it cannot be decompressed. */
export async function unpack(of: RedisDescription, position: number, bytes: Uint8Array): Promise<Uint8Array> {
  const isCompressed = of.packed[position] === "1";
  try {
    return await unpackBlock({ rawBytes: of.rawBytes[position] ?? 0, isCompressed, bytes });
  } catch (cause) {
    throw corrupt(of.hash, cause);
  }
}

/** An entry as stored in Redis. The order of the keys matters: a script reads the first two without a parser. */
export interface RedisDescription {
  /** Identifies the blocks of one put: hex digits. */
  readonly upload: string;
  /** One digit for each block: 1 if it is compressed. */
  readonly packed: string;
  /** Length of each block's content. */
  readonly rawBytes: readonly number[];
  readonly hash: string;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly contentType: string;
}

export interface RedisEntry {
  readonly entry: ArchiveEntry;
  readonly description: RedisDescription;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isDescription(value: unknown): value is RedisDescription {
  if (typeof value !== "object" || value === null) return false;
  const { upload, packed, rawBytes, hash, bytes, storedBytes, contentType } = value as Record<
    string,
    unknown
  >;
  if (typeof upload !== "string" || typeof packed !== "string" || typeof contentType !== "string")
    return false;
  if (!Array.isArray(rawBytes) || !rawBytes.every(isCount) || rawBytes.length !== packed.length) return false;
  const total = rawBytes.reduce((sum, size) => sum + size, 0);
  return /^[0-9a-f]+$/.test(upload) && isHash(hash) && total === bytes && isCount(storedBytes);
}

/** Reads what a script stored: two times and a description. */
export function readDescription(text: string, hash: string): RedisEntry {
  const [, storedAt, expiresAt, json] = /^(\d+) (\d+) (.*)$/s.exec(text) ?? [];
  const description = json === undefined ? undefined : jsonIn(json);
  if (!isDescription(description) || description.hash !== hash) throw corrupt(hash);
  const { bytes, contentType } = description;
  const times = { storedAtMs: Number(storedAt), expiresAtMs: Number(expiresAt) };
  return { entry: { hash, bytes, contentType, ...times }, description };
}

export const corrupt = corruptIn("Redis", "under its keys");
