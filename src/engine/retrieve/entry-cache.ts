import type { JsonValue } from "../../core/json/json-value.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";

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

export interface EntryCache {
  get(tenant: string, hash: string): ReadEntry | undefined;
  set(tenant: string, hash: string, entry: ReadEntry): void;
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

const caches = new WeakMap<ArchiveStore, EntryCache>();

/** One cache for each store; it lives as long as the store. */
export function cacheOf(store: ArchiveStore): EntryCache {
  const known = caches.get(store);
  if (known !== undefined) return known;
  const cache = createEntryCache();
  caches.set(store, cache);
  return cache;
}
