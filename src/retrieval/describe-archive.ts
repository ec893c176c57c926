import type { JsonObject } from "../json/json-value.ts";
import { collectionsOf, mainCollection } from "../json/main-collection.ts";
import type { ArchiveEntry } from "../stores/archive-store.ts";
import type { ReadEntry } from "./entry-cache.ts";

const MAX_COLLECTIONS = 20;

/** What `limit: 0` answers: that the archive is there, how large, what it holds and until when. */
export function describeArchive(entry: ArchiveEntry, read: ReadEntry | undefined): JsonObject {
  const lists = read === undefined ? [] : collectionsOf(read.value);
  return {
    available: true,
    hash: `sha256:${entry.hash}`,
    bytes: entry.bytes,
    content_type: entry.contentType,
    items: read === undefined ? 0 : (mainCollection(read.value)?.items.length ?? 0),
    collections: lists
      .sort((a, b) => b.items.length - a.items.length)
      .slice(0, MAX_COLLECTIONS)
      .map(({ pointer, items }) => ({ pointer, count: items.length })),
    expires_at: new Date(clampTime(entry.expiresAtMs)).toISOString(),
  };
}

// A store without expiry may say Infinity, which is no date.
function clampTime(timeMs: number): number {
  return Math.min(timeMs, Date.UTC(9999, 11, 31));
}
