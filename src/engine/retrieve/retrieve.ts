// Answers `waybill_retrieve`: finds the archive, what was asked for in it, and as many of those items as the budget
// has room for; the rest waits behind a signed cursor. Never archives, never cuts without a cursor, reads only
// through the store it is given, and fails with a ToolFault or not at all.

import { stableStringify } from "../../core/json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { collectionsOf, mainCollection } from "../../core/json/main-collection.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { binaryEntry } from "./archive-resource.ts";
import { type AskContext, askArchive } from "./ask-archive.ts";
import { type ReadEntry, memoize } from "./entry-cache.ts";
import { findLines } from "./find-lines.ts";
import { fitFault } from "./fit-fault.ts";
import { asNamed } from "./question/own-value.ts";
import { ReadNotes } from "./question/read-json.ts";
import { openTexts } from "./inner-json.ts";
import { type RetrieveAnswer, answerPage, pageKey, pageSize, roomFor } from "./page-answer.ts";
import { answerText, asksForText } from "./own-text.ts";
import { placedItems, readPlace } from "./page-items.ts";
import { isBlockType, isTextType, readEntry } from "./read-entry.ts";
import { type OwnedEntry, archiveNeeded, hashNeeded, resolveArchive } from "./resolve-archive.ts";
import { resolveByIds } from "./resolve-by-ids.ts";
import { type RetrieveRequest, readRequest } from "./retrieve-request.ts";
import { type Selection, selectItems } from "./select-items.ts";

const MAX_COLLECTIONS = 20;

/** The value with its texts opened, and what became of numbers in them. */
interface Opened {
  readonly value: JsonValue;
  readonly note: string | undefined;
}

/** Made once for as long as the entry is kept in memory. */
function openedOf(read: ReadEntry): Opened {
  return memoize(read, "opened", "", () => {
    const notes = new ReadNotes();
    const value = openTexts(read.value, (number) => notes.add(number, false, false));
    return { value, note: notes.said[0] };
  });
}

/** What `limit: 0` answers: that the archive is there, how large, what it holds and until when. */
function describeArchive(entry: ArchiveEntry, read: ReadEntry | undefined): JsonObject {
  // Records in a text that is JSON are found there, so they are counted there.
  const opened = read === undefined ? undefined : openedOf(read).value;
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

export interface RetrieveContext extends AskContext {
  /** What the caller knows the tool by. Default: its usual name. */
  readonly tool?: string | undefined;
  /** The only entries that are looked into where none is named; undefined: the newest of the tenant. */
  readonly among?: ReadonlySet<string> | undefined;
  /** Where tools keep the ids of their items, besides the usual keys. */
  readonly idPaths?: readonly string[] | undefined;
}

/** Answers the arguments of a call, checked here. */
export async function retrieve(args: RetrieveRequest, context: RetrieveContext): Promise<RetrieveAnswer> {
  try {
    return await answerRequest(readRequest(args, context.tool), context);
  } catch (error) {
    throw fitFault(error, context);
  }
}

async function answerRequest(request: RetrieveRequest, asked: RetrieveContext): Promise<RetrieveAnswer> {
  const { entry, tenant } = await entryOf(request, asked);
  // Whoever opens an entry reads and pages it as its owner does.
  const context = { ...asked, tenant };
  const isText = isTextType(entry.contentType);
  if (request.limit === 0) {
    return { data: describeArchive(entry, isText ? await readEntry(context, entry) : undefined) };
  }
  if (request.select !== undefined) return askArchive(request, request.select, context, entry);
  if (request.lines !== undefined || request.grep !== undefined) return findLines(request, context, entry);
  if (isText) return answerItems(request, context, entry);
  return { data: await binaryEntry(context, entry, (data) => roomFor(data, context) >= 0) };
}

async function entryOf({ archive, ids }: RetrieveRequest, context: RetrieveContext): Promise<OwnedEntry> {
  if (archive !== undefined) return resolveArchive(context, archive);
  if (context.needsHash === true) throw hashNeeded();
  if (context.among?.size === 0) throw archiveNeeded();
  const entry = await resolveByIds(context, ids ?? [], context, context.among);
  return { entry, tenant: context.tenant };
}

async function answerItems(
  request: RetrieveRequest,
  context: RetrieveContext,
  entry: ArchiveEntry,
): Promise<RetrieveAnswer> {
  const read = await readEntry(context, entry);
  const asked = askedOf(request);
  if (read.ownText !== undefined && asksForText(request))
    return answerText(request, context, entry, read.ownText);
  const opened = openedOf(read);
  const names = [request.pointer, ...(request.ids ?? [])];
  const { items, missing } = memoize<Selection>(
    read,
    "selection",
    stableStringify([asked, ...(context.idPaths ?? [])]),
    () =>
      selectItems(asNamed(read.value, names), request, {
        idPaths: context.idPaths,
        isBlock: isBlockType(entry.contentType),
        opened: asNamed(opened.value, names),
      }),
  );
  const key = pageKey(entry, asked, context);
  const start = await readPlace(request.cursor, items.count, key);
  const lost = start.item === 0 && missing.length > 0 ? { missing: shorten(missing) } : {};
  // A piece of a text is the text itself.
  const isPiece = JSON.stringify([request.pointer, request.ids]).includes("#char=");
  const said = opened.note === undefined || isPiece ? {} : { note: opened.note };
  const { data, pagination } = await answerPage(
    {
      list: items,
      entry: read,
      form: placedItems,
      start,
      maxItems: pageSize(request.limit),
      frame: (page, returned) => ({ items: page.items, matched: items.count, ...lost, returned, ...said }),
    },
    key,
    context,
  );
  return { data, pagination };
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
