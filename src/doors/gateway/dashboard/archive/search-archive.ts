// Looks for words in everything that is kept, the newest first, within limits: calls go on meanwhile.

import type { JsonValue } from "../../../../core/json/json-value.ts";
import { decodeTables } from "../../../../core/json/table/decode-tables.ts";
import { hasTables, isJsonType, isTextType } from "../../../../engine/retrieve/read-entry.ts";
import { ArchiveError } from "../../../../engine/archive/archive-store.ts";
import { turn } from "../body.ts";
import type { ArchiveHit, ArchiveHits } from "../protocol/places.ts";
import type { Archives, PlacedEntry } from "./archives.ts";
import { type SearchedText, type Wanted, findPlaces, wantedIn } from "./find-words.ts";

const MAX_SEARCH_MS = 5_000;
const MAX_ENTRIES = 500;
/** A larger entry would hold up calls while it is looked through. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
const MAX_HITS = 100;
const MAX_HITS_OF_ENTRY = 3;

export interface ArchiveSearch {
  readonly words: string;
  readonly tenantKey?: string | undefined;
}

function textOf(bytes: Uint8Array, contentType: string): SearchedText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!isJsonType(contentType)) return { text, isJson: false };
  try {
    // One text that was kept as JSON has lines, and no places in it have pointers.
    if (text.startsWith('"')) return { text: String(JSON.parse(text)), isJson: false };
    if (!hasTables(contentType)) return { text, isJson: true };
    // Pointers name places in the lists, not in the tables that stand for them.
    return { text: JSON.stringify(decodeTables(JSON.parse(text) as JsonValue)), isJson: true };
  } catch {
    return { text, isJson: false };
  }
}

/** The hits in one entry; undefined where it could not be looked through. */
async function searchEntry(
  { place, hash, tenantKey, bytes, contentType }: PlacedEntry,
  tenant: string,
  { inJson, inText }: { readonly inJson: Wanted; readonly inText: Wanted },
): Promise<readonly ArchiveHit[] | undefined> {
  if (bytes > MAX_ENTRY_BYTES) return undefined;
  try {
    const read = await place.store.get(tenant, hash);
    // It has expired since it was listed.
    if (read === undefined) return [];
    const searched = textOf(read.bytes, contentType);
    const wanted = searched.isJson ? inJson : inText;
    const places = findPlaces(searched, wanted, place.state.mask, MAX_HITS_OF_ENTRY);
    return places.map((found) => ({ hash, tenantKey, ...found }));
  } catch (error) {
    // A damaged entry has no part in a search; a store that is away ends it.
    if (ArchiveError.isInstance(error) && error.code === "CORRUPT") return undefined;
    throw error;
  }
}

export async function searchArchive(
  archives: Archives,
  { words, tenantKey }: ArchiveSearch,
  signal: AbortSignal,
): Promise<ArchiveHits> {
  const wanted = { inJson: wantedIn(words, true), inText: wantedIn(words, false) };
  const { entries } = await archives.listing();
  const texts = entries.filter(
    (entry) => isTextType(entry.contentType) && (tenantKey ?? entry.tenantKey) === entry.tenantKey,
  );
  const endMs = performance.now() + MAX_SEARCH_MS;
  const hits: ArchiveHit[] = [];
  let searched = 0;
  let isComplete = texts.length <= MAX_ENTRIES;
  for (const entry of texts.slice(0, MAX_ENTRIES)) {
    if (signal.aborted || performance.now() > endMs || hits.length >= MAX_HITS) {
      isComplete = false;
      break;
    }
    const found = await searchEntry(entry, archives.tenantNamed(entry.tenantKey), wanted);
    if (found === undefined) isComplete = false;
    else {
      searched += 1;
      hits.push(...found);
    }
    await turn();
  }
  return { hits: hits.slice(0, MAX_HITS), searched, isComplete: isComplete && hits.length <= MAX_HITS };
}
