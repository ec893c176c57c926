import { jsonIn } from "../../../core/json/json-value.ts";
import { type ArchiveEntry, ArchiveError } from "../archive-store.ts";
import { isHash } from "../store-rules.ts";

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

export function corrupt(hash: string, cause?: unknown): ArchiveError {
  const message = `The entry ${hash} in Redis is not what was stored: something else writes under its keys. Put it again.`;
  return new ArchiveError("CORRUPT", message, { cause });
}
