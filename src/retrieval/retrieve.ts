// Answers `waybill_retrieve`: finds the archive, what was asked for in it, and as many of those items as the budget
// has room for; the rest waits behind a signed cursor. Never archives, never cuts without a cursor, reads only
// through the store it is given, and fails with a ToolFault or not at all.

import type { Pagination } from "../contract/pagination.ts";
import type { CursorKeys } from "../cursor/cursor-options.ts";
import type { JsonObject } from "../json/json-value.ts";
import { stableStringify } from "../json/canonical-json.ts";
import type { ArchiveEntry, ArchiveStore } from "../stores/archive-store.ts";
import { binaryEntry } from "./binary-entry.ts";
import { describeArchive } from "./describe-archive.ts";
import { type EntryCache, memoize } from "./entry-cache.ts";
import { pageItems } from "./page-items.ts";
import { type PageKey, readPlace, writePlace } from "./page-cursor.ts";
import { isTextType, readEntry } from "./read-entry.ts";
import { hashNeeded } from "./archive-faults.ts";
import { resolveArchive } from "./resolve-archive.ts";
import { resolveByIds } from "./resolve-by-ids.ts";
import { type RetrieveRequest, checkRequest } from "./retrieve-request.ts";
import { roomFor } from "./retrieve-room.ts";
import { type Selection, selectItems } from "./select-items.ts";

export interface RetrieveContext {
  readonly store: ArchiveStore;
  readonly tenant: string;
  /** True for a tenant that strangers share: only the full hash opens an entry, and nothing is looked for. */
  readonly needsHash?: boolean | undefined;
  readonly budgetTokens: number | "off";
  /** Stops once it is above `limit` and then answers some number above it. */
  readonly count: (text: string, limit?: number) => number;
  readonly cursorKeys: CursorKeys;
  readonly now?: (() => number) | undefined;
  /** Where the tool that made the result keeps its ids. */
  readonly idPath?: string | undefined;
  /** Parsed entries; one cache a store unless given. */
  readonly cache?: EntryCache | undefined;
}

export interface RetrieveAnswer {
  readonly data: JsonObject;
  readonly pagination?: Pagination;
}

const MAX_PAGE_SIZE = 1_000;

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
  return resolveByIds(context, ids ?? [], context.idPath);
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
    stableStringify([asked, context.idPath ?? ""]),
    () => selectItems(read.value, request, context.idPath),
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
  const frame = { archive: `sha256:${entry.hash}`, verified: true, items: [], matched: items.count, ...lost };
  const roomTokens = roomFor({ ...frame, returned: maxItems }, context);
  const page = pageItems(items, start, { maxItems, roomTokens, count: context.count }, read);
  const cursor = page.next === undefined ? null : await writePlace(page.next, key);
  return {
    data: { ...frame, items: page.items, returned: page.items.length },
    pagination: { cursor, has_more: cursor !== null, page_size: maxItems, total_count: items.count },
  };
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

// The ids were the caller's own; a few are enough to recognise them, and the page has better use for its room.
function shorten(missing: readonly string[]): string[] {
  const shown = missing.slice(0, MAX_MISSING).map((id) => id.slice(0, MAX_ID_LENGTH));
  return missing.length > MAX_MISSING ? [...shown, `and ${missing.length - MAX_MISSING} more`] : shown;
}
