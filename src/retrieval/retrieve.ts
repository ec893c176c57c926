// Answers `waybill_retrieve`: finds the archive, what was asked for in it, and as many of those items as the budget
// has room for; the rest waits behind a signed cursor. Never archives, never cuts without a cursor, reads only
// through the store it is given, and fails with a ToolFault or not at all.

import type { Pagination } from "../contract/pagination.ts";
import type { CursorKeys } from "../cursor/cursor-options.ts";
import { handleOf } from "../contract/wire-names.ts";
import { stableStringify } from "../json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { collectionsOf, mainCollection } from "../json/main-collection.ts";
import type { ArchiveEntry, ArchiveStore } from "../stores/archive-store.ts";
import { binaryEntry } from "./archive-resource.ts";
import { type EntryCache, type ReadEntry, memoize } from "./entry-cache.ts";
import { openTexts } from "./inner-json.ts";
import { type PageKey, pageItems, readPlace, writePlace } from "./page-items.ts";
import { isBlockType, isTextType, readEntry } from "./read-entry.ts";
import { archiveNeeded, hashNeeded, resolveArchive } from "./resolve-archive.ts";
import { resolveByIds } from "./resolve-by-ids.ts";
import { type RetrieveRequest, checkRequest } from "./retrieve-request.ts";
import { type Selection, selectItems } from "./select-items.ts";

/** What the envelope around the data costs at most, where nobody can say exactly: keys, an id, the cursor. */
const ENVELOPE_TOKENS = 120;
/** As for every result: below it nothing useful fits. */
const FLOOR_TOKENS = 256;

type Budget = Pick<RetrieveContext, "budgetTokens" | "count" | "weigh">;

/** Tokens a budget leaves beside this answer; Infinity when it is off, below zero when the answer is too much. */
function roomFor(data: JsonObject, { budgetTokens, count, weigh }: Budget, pagination?: Pagination): number {
  if (budgetTokens === "off") return Number.POSITIVE_INFINITY;
  // Written so that a budget that is not a number counts as the floor.
  const budget = budgetTokens > FLOOR_TOKENS ? budgetTokens : FLOOR_TOKENS;
  if (weigh !== undefined) return budget - weigh(data, pagination);
  const room = budget - ENVELOPE_TOKENS;
  return room - count(JSON.stringify(data), room);
}

const MAX_COLLECTIONS = 20;

/** Made once for as long as the entry is kept in memory. */
function openedOf(read: ReadEntry): JsonValue {
  return memoize(read, "opened", "", () => openTexts(read.value));
}

/** What `limit: 0` answers: that the archive is there, how large, what it holds and until when. */
function describeArchive(entry: ArchiveEntry, read: ReadEntry | undefined): JsonObject {
  // Records in a text that is JSON are found there, so they are counted there.
  const opened = read === undefined ? undefined : openedOf(read);
  const lists = opened === undefined ? [] : collectionsOf(opened);
  return {
    available: true,
    hash: `sha256:${entry.hash}`,
    bytes: entry.bytes,
    content_type: entry.contentType,
    items: opened === undefined ? 0 : (mainCollection(opened)?.items.length ?? 0),
    collections: lists
      .sort((a, b) => b.items.length - a.items.length)
      .slice(0, MAX_COLLECTIONS)
      .map(({ pointer, items }) => ({ pointer, count: items.length })),
    expires_at: new Date(clampTime(entry.expiresAtMs)).toISOString(),
  };
}

// A store without expiry may say Infinity, which is not a date.
function clampTime(timeMs: number): number {
  return Math.min(timeMs, Date.UTC(9999, 11, 31));
}

export interface RetrieveContext {
  readonly store: ArchiveStore;
  readonly tenant: string;
  /** True for a tenant that strangers share: only the full hash opens an entry, and nothing is looked for. */
  readonly needsHash?: boolean | undefined;
  /** The only entries that are looked into where none is named; undefined: the newest of the tenant. */
  readonly among?: ReadonlySet<string> | undefined;
  readonly budgetTokens: number | "off";
  /** Stops once it is above `limit` and then answers some number above it. */
  readonly count: (text: string, limit?: number) => number;
  /** What an answer costs as it will be sent, in the same measure. */
  readonly weigh?: ((data: JsonObject, pagination?: Pagination) => number) | undefined;
  readonly cursorKeys: CursorKeys;
  readonly now?: (() => number) | undefined;
  /** Where tools keep the ids of their items, besides the usual keys. */
  readonly idPaths?: readonly string[] | undefined;
  /** Parsed entries. Default: one cache for each store. */
  readonly cache?: EntryCache | undefined;
}

export interface RetrieveAnswer {
  readonly data: JsonObject;
  readonly pagination?: Pagination;
}

const MAX_PAGE_SIZE = 1_000;
/** Room for a piece of a few words. */
const LEAST_ROOM = 48;
const MAX_TRIES = 6;
/** No cursor is longer than one to such a place. */
const lastPlace = { item: 999_999_999, slice: { unit: 999_999_999, codePoint: 999_999_999 } } as const;

export async function retrieve(request: RetrieveRequest, context: RetrieveContext): Promise<RetrieveAnswer> {
  checkRequest(request);
  const entry = await entryOf(request, context);
  const isText = isTextType(entry.contentType);
  if (request.limit === 0) {
    return { data: describeArchive(entry, isText ? await readEntry(context, entry) : undefined) };
  }
  if (isText) return answerItems(request, context, entry);
  return { data: await binaryEntry(context, entry, (data) => roomFor(data, context) >= 0) };
}

function entryOf({ archive, ids }: RetrieveRequest, context: RetrieveContext): Promise<ArchiveEntry> {
  if (archive !== undefined) return resolveArchive(context, archive);
  if (context.needsHash === true) throw hashNeeded();
  if (context.among?.size === 0) throw archiveNeeded();
  return resolveByIds(context, ids ?? [], context, context.among);
}

async function answerItems(
  request: RetrieveRequest,
  context: RetrieveContext,
  entry: ArchiveEntry,
): Promise<RetrieveAnswer> {
  const read = await readEntry(context, entry);
  const asked = askedOf(request);
  const { items, missing } = memoize<Selection>(
    read,
    "selection",
    stableStringify([asked, ...(context.idPaths ?? [])]),
    () =>
      selectItems(read.value, request, {
        idPaths: context.idPaths,
        isBlock: isBlockType(entry.contentType),
        opened: openedOf(read),
      }),
  );
  const key: PageKey = {
    hash: entry.hash,
    asked,
    tenant: context.tenant,
    keys: context.cursorKeys,
    now: context.now,
  };
  const start = await readPlace(request.cursor, items.count, key);
  const maxItems = Math.min(request.limit ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const lost = start.item === 0 && missing.length > 0 ? { missing: shorten(missing) } : {};
  const paginate = (cursor: string | null): Pagination => ({
    cursor,
    has_more: cursor !== null,
    page_size: maxItems,
    total_count: items.count,
  });
  const longest = paginate(await writePlace(lastPlace, key));
  const frames = [`sha256:${entry.hash}`, handleOf(entry.hash)].map((archive, at) => ({
    archive,
    ...(at === 0 ? { verified: true } : {}),
    items: [],
    matched: items.count,
    ...lost,
  }));
  const rooms = frames.map((frame) => roomFor({ ...frame, returned: maxItems }, context, longest));
  // With hardly any room the archive is named by its handle: whoever asks for it knows the hash.
  const chosen = (rooms[0] ?? 0) < LEAST_ROOM ? 1 : 0;
  let roomTokens = rooms[chosen] ?? 0;
  for (let tries = 0; ; tries++) {
    const page = pageItems(items, start, { maxItems, roomTokens, count: context.count }, read);
    const data = { ...frames[chosen], items: page.items, returned: page.items.length };
    const pagination = paginate(page.next === undefined ? null : await writePlace(page.next, key));
    const left = context.weigh === undefined ? 0 : roomFor(data, context, pagination);
    if (left >= 0 || tries === MAX_TRIES) return { data, pagination };
    // Pieces that are joined may split into other tokens.
    roomTokens += left - 1;
  }
}

/** What a cursor belongs to: everything but the page's own size. */
function askedOf({ ids, pointer, match, query }: RetrieveRequest): JsonObject {
  return {
    ...(ids === undefined ? {} : { ids }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(match === undefined ? {} : { match }),
    ...(query === undefined ? {} : { query }),
  };
}

const MAX_MISSING = 10;
const MAX_ID_LENGTH = 40;

// The caller knows its own ids; a few are enough to recognise them, and the page needs the room.
function shorten(missing: readonly string[]): string[] {
  const shown = missing.slice(0, MAX_MISSING).map((id) => id.slice(0, MAX_ID_LENGTH));
  return missing.length > MAX_MISSING ? [...shown, `and ${missing.length - MAX_MISSING} more`] : shown;
}
