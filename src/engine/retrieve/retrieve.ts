// Answers `waybill_retrieve`: finds the archive, the requested items in it, and as many of them as the budget
// allows; a signed cursor leads to the rest. Never archives, never cuts without a cursor, reads only through
// its store, and fails only with a ToolFault.

import { openTexts } from "../../core/json/open-texts.ts";
import { stableStringify } from "../../core/json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { ArchiveEntry, ListedEntry } from "../archive/archive-store.ts";
import { binaryEntry } from "./archive-resource.ts";
import { type AskContext, askArchive } from "./ask-archive.ts";
import {
  type EntrySource,
  type ReadEntry,
  isBlockType,
  isTextType,
  memoize,
  readEntry,
} from "./read-entry.ts";
import { describeArchive } from "./describe-archive.ts";
import { asksForLines } from "./line-arguments.ts";
import { findLines } from "./find-lines.ts";
import { asNamed } from "./question/own-value.ts";
import { ReadNotes } from "./question/read-json.ts";
import { type ItemNaming, type ItemSelection, findOwnInside, isPlace, selectItems } from "./select-items.ts";
import {
  type AnswerLimits,
  type RetrieveAnswer,
  answerPage,
  pageKey,
  pageSize,
  tokensLeftFor,
} from "./answer-page.ts";
import { type ItemForm, placedItems, placedRuns, readPagePlace } from "./page-items.ts";
import {
  type OwnedEntry,
  archiveNeeded,
  hashNeeded,
  resolveArchive,
  ambiguousArchive,
  askStore,
} from "./resolve-archive.ts";
import { refuseArgument } from "./argument-forms.ts";
import { type RetrieveRequest, readRequest } from "./retrieve-request.ts";
import { firstCodePoints, countCodePoints } from "../../core/text/code-points.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type ItemList, listOf } from "./item-list.ts";
import { beginsWithPassage, withPassages } from "./passage-items.ts";
import { faults } from "../../core/contract/faults.ts";

/** The value with its texts parsed, and how numbers in them changed. */
interface Opened {
  readonly value: JsonValue;
  readonly note: string | undefined;
}

/** Made once while the entry is in memory. */
function openedOf(read: ReadEntry): Opened {
  return memoize(read, "opened", "", () => {
    const notes = new ReadNotes();
    const value = openTexts(read.value, (number) => notes.add(number, false, false));
    return { value, note: notes.said[0] };
  });
}

export interface RetrieveContext extends AskContext {
  /** The name under which the caller knows the tool. Default: its usual name. */
  readonly tool?: string | undefined;
  /** The only entries that are searched if the request names none. Default: the newest of the tenant. */
  readonly among?: ReadonlySet<string> | undefined;
  /** The paths of item ids in tools, besides the usual keys. */
  readonly idPaths?: readonly string[] | undefined;
  /** False if the budget is of bytes or characters alone. */
  readonly countsTokens?: boolean | undefined;
}

/** Answers the arguments of a call, which are checked here. */
export async function retrieve(args: RetrieveRequest, context: RetrieveContext): Promise<RetrieveAnswer> {
  try {
    return await answerRequest(readRequest(args, context.tool), context);
  } catch (error) {
    throw fitFault(error, context);
  }
}

async function answerRequest(request: RetrieveRequest, asked: RetrieveContext): Promise<RetrieveAnswer> {
  const { entry, tenant } = await entryOf(request, asked);
  // A caller that may open an entry reads and pages it like its owner.
  const context = { ...asked, tenant };
  const isText = isTextType(entry.contentType);
  if (request.limit === 0) {
    const opened = isText ? openedOf(await readEntry(context, entry)).value : undefined;
    return { data: describeArchive(entry, opened, (data) => tokensLeftFor(data, context) >= 0) };
  }
  if (request.select !== undefined) return askArchive(request, request.select, context, entry);
  if (asksForLines(request)) return findLines(request, context, entry);
  if (isText) return answerItems(request, context, entry);
  return { data: await binaryEntry(context, entry, (data) => tokensLeftFor(data, context) >= 0) };
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
  if (request.match !== undefined && typeof opened.value === "string")
    throw refuseArgument("match", "an archive of items", MATCHES_NO_TEXT);
  const names = [request.pointer, ...(request.ids ?? [])];
  const { items, missing } = memoize<ItemSelection>(
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
  const start = await readPagePlace(request.cursor, items.count, key);
  const page = pageOf(request, items, context);
  const lost = start.item === 0 && missing.length > 0 ? { missing: shorten(missing) } : {};
  // A piece of a text is the text itself.
  const isPiece = JSON.stringify([request.pointer, request.ids]).includes("#char=");
  const said = opened.note === undefined || isPiece ? {} : { note: opened.note };
  const { data, pagination } = await answerPage(
    {
      list: items,
      entry: read,
      // Clients join the pages of the whole item by item.
      form: withPassages(request.pointer === "" ? placedItems : placedRuns),
      start,
      maxItems: page.maxItems,
      frame: (made, returned) => ({ items: made.items, matched: items.count, ...lost, returned, ...said }),
    },
    key,
    { ...context, budgetTokens: page.budgetTokens },
  );
  return { data, pagination };
}

const MATCHES_NO_TEXT =
  "This archive is a text without items to match: grep finds its lines, query its best passages.";

/** A search wants the best matches; `limit` asks for more. */
const MOST_ROWS = 10;
const MOST_PASSAGES = 30;
const MOST_TOKENS = 2_000;

/** The most of one answer: a search without a limit gives less than the budget allows. */
function pageOf(
  { query, limit }: RetrieveRequest,
  items: ItemList,
  { budgetTokens, countsTokens = true }: RetrieveContext,
): Pick<AnswerLimits, "budgetTokens"> & { readonly maxItems: number } {
  if (query === undefined || limit !== undefined) return { budgetTokens, maxItems: pageSize(limit) };
  if (!beginsWithPassage(items)) return { budgetTokens, maxItems: MOST_ROWS };
  const most = budgetTokens === "off" ? MOST_TOKENS : Math.min(budgetTokens, MOST_TOKENS);
  return { budgetTokens: countsTokens ? most : budgetTokens, maxItems: MOST_PASSAGES };
}

/** What a cursor is bound to: everything but the size of the page. */
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

/** What surrounds a fault: keys, code and type, version, an id. */
const AROUND_TOKENS = 100;
const MIN_MESSAGE_LENGTH = 40;

/**
 * A fault that fits the budget. Answers of `waybill_retrieve` are never cut, and its failures explain much:
 * the keys of a record, the form of an argument. Details are removed first, then the end of the message, then
 * the advice.
 */
function fitFault(error: unknown, limits: Pick<AnswerLimits, "budgetTokens" | "count">): unknown {
  const { budgetTokens: budget, count } = limits;
  if (!ToolFault.isInstance(error) || budget === "off") return error;
  const room = budget - AROUND_TOKENS;
  const fits = (said: string, advice: string, details: JsonObject): boolean =>
    count(JSON.stringify([said, advice, details]), room) <= room;
  const { remediation = "", details = {} } = error.fault;
  if (fits(error.message, remediation, details)) return error;
  let { message } = error;
  while (!fits(message, remediation, {}) && message.length > MIN_MESSAGE_LENGTH)
    message = `${firstCodePoints(message, Math.floor(message.length * 0.7))}…`;
  const { details: _details, remediation: _advice, ...options } = error.options;
  const advice = fits(message, remediation, {}) ? { remediation } : {};
  return new ToolFault(message, { ...options, ...advice, cause: error.cause });
}

// The whole of an entry as the text that a server wrote. Callers that edit by exact text need its spaces and
// line ends; the joined pieces are the bytes of the archive's hash.

/** Whether a request asks for the whole entry, and not for a part. */
function asksForText({ pointer, ids, match, query }: RetrieveRequest): boolean {
  return pointer === "" && ids === undefined && match === undefined && query === undefined;
}

/** Always a piece, even if there is only one: a value would be written without the spaces. */
const pieces: ItemForm = {
  whole: ({ value }) => wholePiece(value),
  text: ({ value }) => JSON.stringify(wholePiece(value)),
  piece: (_, { is_text: _isText, ...slice }) => ({ pointer: "", ...slice }),
};

function wholePiece(value: JsonValue): JsonObject {
  const text = typeof value === "string" ? value : "";
  const of = countCodePoints(text);
  return { pointer: "", text, from: 0, to: of, of, is_slice: true };
}

async function answerText(
  request: RetrieveRequest,
  limits: AnswerLimits,
  entry: ArchiveEntry,
  text: string,
): Promise<RetrieveAnswer> {
  const key = pageKey(entry, { pointer: "" }, limits);
  const { data, pagination } = await answerPage(
    {
      list: listOf([{ pointer: "", value: text }]),
      entry: { memo: new Map() },
      form: pieces,
      start: await readPagePlace(request.cursor, 1, key),
      maxItems: pageSize(request.limit),
      frame: ({ items }, returned) => ({ items, matched: 1, returned }),
    },
    key,
    limits,
  );
  return { data, pagination };
}

// Each archive may have to be read and parsed, so their number and size are limited.
const MAX_ENTRIES = 50;
const MAX_BYTES = 256 * 1024 * 1024;

/** The one archive that has all of these ids, among the newest 50 of the tenant, or of those in `among`. */
async function resolveByIds(
  source: EntrySource,
  ids: readonly string[],
  naming: ItemNaming = {},
  among?: ReadonlySet<string>,
): Promise<ArchiveEntry> {
  const own = ids.filter((id) => !isPlace(id));
  if (own.length === 0) {
    const says = "Places fit many archives: say which one with archive.";
    throw refuseArgument("archive", "required when ids are places", says);
  }
  const having: ArchiveEntry[] = [];
  for (const entry of await newestEntries(source, among)) {
    const { value } = await readEntry(source, entry);
    if (findOwnInside(value, openTexts(value), own, naming).size === new Set(own).size) having.push(entry);
  }
  const [entry, ...others] = having;
  if (entry === undefined) throw notAmongNewest(own);
  if (others.length === 0) return entry;
  throw ambiguousArchive(`${having.length} archives have these ids.`, having);
}

async function newestEntries(
  { store, tenant }: EntrySource,
  among: ReadonlySet<string> | undefined,
): Promise<ListedEntry[]> {
  const entries = await askStore(async () => {
    const listed: ListedEntry[] = [];
    for await (const entry of store.list(tenant))
      if (isTextType(entry.contentType) && among?.has(entry.hash) !== false) listed.push(entry);
    return listed;
  });
  const newest = entries.sort((a, b) => b.storedAtMs - a.storedAtMs).slice(0, MAX_ENTRIES);
  let bytes = 0;
  return newest.filter((entry) => (bytes += entry.bytes) <= MAX_BYTES);
}

function notAmongNewest(ids: readonly string[]): Error {
  const shown = ids.slice(0, 10).map((id) => id.slice(0, 100));
  return faults.notFound("item", shown.join(", "), {
    remediation: `Say which archive: without it only the newest ${MAX_ENTRIES} were looked at, up to 256 MiB.`,
  });
}
