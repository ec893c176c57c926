import { faults } from "../../core/contract/faults.ts";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import { MAX_JSON_DEPTH } from "../../core/json/find-non-json.ts";
import { scanJson } from "../../core/json/scan-json.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { ArchiveEntry, ArchiveStore } from "../archive/archive-store.ts";
import type { QuestionAnswer } from "./question/question.ts";
import { archiveUri } from "../../core/contract/wire-names.ts";
import { archiveNotFound, askStore } from "./resolve-archive.ts";
import { quoteName } from "../../core/text/say-name.ts";

// In pieces: spreading a whole entry overflows the stack.
const PIECE_BYTES = 0x6000;

/** Base64 of bytes in any JavaScript runtime. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES));
  }
  return globalThis.btoa(binary);
}

/** A text of more bytes might not fit a JavaScript string, and parsing it would block the server. */
const MAX_PARSED_BYTES = 256 * 1024 * 1024;
const RANGE_BYTES = 1024 * 1024;

const JSON_TYPE = /^[a-z]+\/(?:json|[^;]+\+json)(?:;|$)/i;
/** Lists in it are written as tables; names and pointers refer to the lists. */
const TABLE_TYPE = /;\s*encoding=table(?:;|$)/i;
const TEXT_TYPE = /^text\//i;

/** A content block that was moved whole; its own type may equal the type of a data archive. */
const BLOCK_TYPE = /;\s*part=block(?:;|$)/i;

/** Whether an entry may be one content block: only the data's own archive is JSON without a mark. */
export function isBlockType(contentType: string): boolean {
  return BLOCK_TYPE.test(contentType) || !JSON_TYPE.test(contentType);
}

/** Whether an entry's bytes are the JSON of a value; any other text is a plain text. */
export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/** Whether an entry has its lists as tables. */
export function hasTables(contentType: string): boolean {
  return TABLE_TYPE.test(contentType);
}

/** Whether a character range makes sense for an entry's text. */
export function isTextType(contentType: string): boolean {
  return JSON_TYPE.test(contentType) || TEXT_TYPE.test(contentType);
}

/** Throws a fault for an entry of bytes, such as an image, which has neither keys nor lines. */
export function assertText({ hash, contentType }: ArchiveEntry, field: string): void {
  if (isTextType(contentType)) return;
  throw faults.validation(`The archive is ${quoteName(contentType)}, and ${field} is for JSON and text.`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Read it as it is: ${archiveUri(hash)}`,
    details: { field, constraint: "JSON or text", content_type: contentType },
  });
}

export interface EntrySource {
  readonly store: ArchiveStore;
  readonly tenant: string;
  /** True for a tenant that strangers share: only the full hash opens an entry, and there is no search. */
  readonly needsHash?: boolean | undefined;
  /** Other tenants whose entries may be opened by hash or handle; their entries are never listed or searched. */
  readonly others?: (() => Promise<readonly string[]>) | undefined;
  readonly cache?: EntryCache | undefined;
}

/** The verified bytes of a whole entry. */
export async function readEntryBytes(
  { store, tenant }: EntrySource,
  entry: ArchiveEntry,
): Promise<Uint8Array> {
  const read = await askStore(() => store.get(tenant, entry.hash));
  if (read === undefined) throw archiveNotFound(`sha256:${entry.hash}`);
  return read.bytes;
}

/** The verified bytes of a whole entry that can be searched; throws a fault if it is too large. */
export async function readSearchableEntry(source: EntrySource, entry: ArchiveEntry): Promise<Uint8Array> {
  if (entry.bytes > MAX_PARSED_BYTES) {
    throw faults.validation(`The archive has ${entry.bytes} bytes, too many to search in.`, {
      errorCode: "TOO_LARGE",
      remediation: `Read it in ranges of bytes: ${archiveUri(entry.hash, { start: 0, end: RANGE_BYTES })}`,
      details: { resource_type: "archive", bytes: entry.bytes, limit_bytes: MAX_PARSED_BYTES },
    });
  }
  return readEntryBytes(source, entry);
}

/** A whole entry, whose hash the store checks, parsed at most once while it is in memory. */
export async function readEntry(source: EntrySource, entry: ArchiveEntry): Promise<ReadEntry> {
  const cache = cacheOf(source);
  const kept = cache.get(source.tenant, entry.hash);
  if (kept !== undefined) return kept;
  const parsed = parseContent(await readSearchableEntry(source, entry), entry.contentType);
  const read: ReadEntry = { ...parsed, bytes: entry.bytes, memo: new Map() };
  cache.set(source.tenant, entry.hash, read);
  return read;
}

// A text is a JSON value too, a string: pointers, slices and queries work on it in the same way.
function parseContent(bytes: Uint8Array, contentType: string): Pick<ReadEntry, "value" | "ownText"> {
  const decoded = decodeUtf8(bytes);
  const text = decoded.ok ? decoded.text : new TextDecoder().decode(bytes);
  if (!JSON_TYPE.test(contentType)) return { value: text };
  try {
    const value = JSON.parse(text) as JsonValue;
    if (hasTables(contentType)) return { value: decodeTables(value) };
    return isOwnForm(text, value) ? { value, ownText: text } : { value };
  } catch {
    return { value: text };
  }
}

/** Whether a list or an object is written differently from `JSON.stringify`. */
function isOwnForm(text: string, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  const scan = scanJson(text, MAX_JSON_DEPTH);
  if (scan.fault !== undefined) return false;
  // Only these escapes have more than one form.
  return !scan.isDense || (/\\[u/]/.test(text) && JSON.stringify(value) !== text);
}

/**
 * An entry that was read: parsed once, with the last results found in it, because pages of one request follow
 * each other.
 */
export interface ReadEntry {
  readonly value: JsonValue;
  readonly bytes: number;
  /** The text of JSON that is not written as we write it (with spaces, for example). Undefined for our own form. */
  readonly ownText?: string | undefined;
  /** One value per slot: paging asks for the same thing again. */
  readonly memo: Map<string, { readonly key: string; readonly value: unknown }>;
}

/** An answer that has more pages. */
export interface KeptAnswer extends Pick<ReadEntry, "memo"> {
  readonly answer: QuestionAnswer;
}

/** What was read of a store, for the requests that follow. */
interface EntryCache {
  get(tenant: string, hash: string): ReadEntry | undefined;
  set(tenant: string, hash: string, entry: ReadEntry): void;
  /** The last answers to questions, by tenant, entry and question. */
  readonly answers: Map<string, KeptAnswer>;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Keeps the last used entries, up to this many bytes of text; a larger entry is never kept. */
export function createEntryCache(maxBytes: number = DEFAULT_MAX_BYTES): EntryCache {
  const entries = new Map<string, ReadEntry>();
  let usedBytes = 0;
  const keyOf = (tenant: string, hash: string): string => `${hash} ${tenant}`;
  const remove = (key: string): ReadEntry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    usedBytes -= entry.bytes;
    return entry;
  };
  const add = (key: string, entry: ReadEntry): void => {
    if (entry.bytes > maxBytes) return;
    entries.set(key, entry);
    usedBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (usedBytes <= maxBytes) break;
      remove(oldest);
    }
  };
  return {
    get: (tenant, hash) => {
      const key = keyOf(tenant, hash);
      const entry = remove(key);
      if (entry !== undefined) add(key, entry);
      return entry;
    },
    set: (tenant, hash, entry) => {
      const key = keyOf(tenant, hash);
      remove(key);
      add(key, entry);
    },
    answers: new Map(),
  };
}

/** The value in a slot for a key; computed again if the slot holds another key. */
export function memoize<T>({ memo }: Pick<ReadEntry, "memo">, slot: string, key: string, make: () => T): T {
  const kept = memo.get(slot);
  if (kept?.key === key) return kept.value as T;
  const value = make();
  memo.set(slot, { key, value });
  return value;
}

/** By the store, which may be its author's object. */
const caches = new WeakMap<ArchiveStore, EntryCache>();

/** One cache for each store; it lives as long as the store. */
export function cacheOf({ store, cache }: EntrySource): EntryCache {
  const known = cache ?? caches.get(store);
  if (known !== undefined) return known;
  const fresh = createEntryCache();
  caches.set(store, fresh);
  return fresh;
}
