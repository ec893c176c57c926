import { RETRIEVE_TOOL, handleOf } from "../../core/contract/wire-names.ts";
import { faults } from "../../core/contract/faults.ts";
import { type CursorKeys, type SignedCursorOptions, refuseCursor } from "./cursor/cursor-options.ts";
import { decodeCursor, encodeCursor } from "./cursor/cursor.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { type ReadEntry, memoize } from "./read-entry.ts";
import type { FoundItem } from "../../core/json/main-collection.ts";
import type { ItemList } from "./item-list.ts";
import { type SlicePlace, sliceText } from "./select-pointer.ts";
import type { Pagination } from "../../core/contract/meta.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";

/** What a cursor is bound to: this archive, this request, this tenant. */
export interface PageKey {
  readonly hash: string;
  readonly asked: JsonObject;
  readonly tenant: string;
  readonly keys: CursorKeys;
  readonly now?: (() => number) | undefined;
}

function optionsOf({ hash, asked, tenant, keys, now }: PageKey): SignedCursorOptions {
  return {
    keys,
    tool: RETRIEVE_TOOL,
    filters: [hash, asked],
    tenant,
    now: now === undefined ? undefined : () => new Date(now()),
  };
}

/** A place as a cursor; the keys are short because the cursor costs tokens. */
function writePlace({ item, slice }: PagePlace, key: PageKey): Promise<string> {
  const position = slice === undefined ? { i: item } : { i: item, u: slice.unit, c: slice.codePoint };
  return encodeCursor(position, optionsOf(key));
}

/**
 * Where the page of a request begins: at its cursor, which must point at one of `count` items, or at the
 * first item.
 */
export async function readPagePlace(
  cursor: string | undefined,
  count: number,
  key: PageKey,
): Promise<PagePlace> {
  if (cursor === undefined) return { item: 0 };
  const { i: item, u: unit, c: codePoint } = await decodeCursor(cursor, optionsOf(key));
  if (!isOffset(item) || item >= count) throw refuseCursor("malformed");
  if (unit === undefined && codePoint === undefined) return { item };
  if (!isOffset(unit) || !isOffset(codePoint)) throw refuseCursor("malformed");
  return { item, slice: { unit, codePoint } };
}

function isOffset(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Where a page begins: at an item, or inside the JSON text of an item. */
export interface PagePlace {
  readonly item: number;
  readonly slice?: SlicePlace | undefined;
}

/** How items are written in an answer. */
export interface ItemForm {
  /**
   * An item that fits, and its JSON text, made from the text of its value so that a large value is not
   * written twice.
   */
  readonly whole: (item: FoundItem) => JsonValue;
  readonly text: (item: FoundItem, json: string) => string;
  /** A piece of an item that does not fit. */
  readonly piece: (item: FoundItem, slice: JsonObject) => JsonObject;
  /** True if one piece of an item is enough, because the rest can be requested by its name. */
  readonly hasOnePiece?: boolean | undefined;
}

export const placedItems: ItemForm = {
  whole: ({ pointer, value }) => ({ pointer, value }),
  text: ({ pointer }, json) => `{"pointer":${JSON.stringify(pointer)},"value":${json}}`,
  piece: ({ pointer }, slice) => ({ pointer, ...slice }),
};

interface ItemPage {
  readonly items: readonly JsonValue[];
  /** The only item is a piece. */
  readonly isPiece: boolean;
  /** Where the next page begins; undefined after the last page. */
  readonly next: PagePlace | undefined;
}

interface PageLimits {
  readonly maxItems: number;
  /** Tokens left for the items; Infinity without a budget. */
  readonly roomTokens: number;
  readonly count: (text: string, limit?: number) => number;
}

/** The parts of a page: items, their cached texts, and how they are written in an answer. */
interface Paged {
  readonly list: ItemList;
  readonly entry: Pick<ReadEntry, "memo">;
  readonly form: ItemForm;
}

/** As many items as fit, at least one: an item that is too large alone comes in slices of its text. */
function pageItems(paged: Paged, start: PagePlace, limits: PageLimits): ItemPage {
  if (start.slice !== undefined) return slicePage(paged, start, limits);
  const { list, form } = paged;
  const items: JsonValue[] = [];
  let room = limits.roomTokens;
  let index = start.item;
  for (; index < list.count && items.length < limits.maxItems; index++) {
    const item = list.at(index);
    room -= cost(paged, item, room, limits);
    if (room < 0) break;
    items.push(form.whole(item));
  }
  if (items.length === 0 && index < list.count) return slicePage(paged, { item: index }, limits);
  return { items, isPiece: false, next: index < list.count ? { item: index } : undefined };
}

function cost(paged: Paged, item: FoundItem, room: number, { count, roomTokens }: PageLimits): number {
  if (roomTokens === Number.POSITIVE_INFINITY) return 0;
  // Counted with the comma that follows: the sum is then at least the count of the whole.
  return count(`${paged.form.text(item, textOf(paged, item))},`, Math.max(0, room));
}

function slicePage(paged: Paged, place: PagePlace, limits: PageLimits): ItemPage {
  const { list, form } = paged;
  const item = list.at(place.item);
  const { value } = item;
  // The slice of a string is the string itself: escaped a second time, code and prose would be hard to read.
  const kind = typeof value === "string" ? { is_text: true } : {};
  const whole = typeof value === "string" ? value : textOf(paged, item);
  const { slice, next } = sliceText(whole, place.slice, (candidate) =>
    fitsRoom(form.piece(item, { ...candidate, ...kind }), limits),
  );
  const items = [form.piece(item, { ...slice, ...kind })];
  if (next !== undefined && form.hasOnePiece !== true)
    return { items, isPiece: true, next: { item: place.item, slice: next } };
  const following = place.item + 1;
  return { items, isPiece: true, next: following < list.count ? { item: following } : undefined };
}

function fitsRoom(line: JsonObject, { count, roomTokens }: PageLimits): boolean {
  if (roomTokens === Number.POSITIVE_INFINITY) return true;
  return count(JSON.stringify(line), Math.max(0, roomTokens)) <= roomTokens;
}

/** The compact JSON of an item. The last one is kept: a large item is requested page after page. */
function textOf({ entry }: Paged, { pointer, value }: FoundItem): string {
  return memoize(entry, "text", pointer, () => toJsonText(value));
}

function toJsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify is recursive and fails at a depth of a few thousand levels.
    throw faults.validation("The item is nested too deeply to be written out.", {
      errorCode: "TOO_LARGE",
      remediation: "Ask for a part of it by a longer pointer, or read the archive as a resource.",
      cause: error,
    });
  }
}

// One answer of `waybill_retrieve` with a list: as many items as the budget allows, with facts about the
// archive; a signed cursor leads to the rest.

/** The most that the envelope around the data costs, if the exact cost is unknown: keys, an id, the cursor. */
const ENVELOPE_TOKENS = 120;
/** As for every result: nothing useful fits below this budget. */
const FLOOR_TOKENS = 256;

/** The budget of an answer, and the keys that sign its cursor. */
export interface AnswerLimits {
  readonly tenant: string;
  readonly budgetTokens: number | "off";
  /** Stops once the count exceeds `limit` and then returns some number above it. */
  readonly count: (text: string, limit?: number) => number;
  /** The cost of an answer as it will be sent, in the same unit. */
  readonly weigh?: ((data: JsonObject, pagination?: Pagination) => number) | undefined;
  readonly cursorKeys: CursorKeys;
  readonly now?: (() => number) | undefined;
}

export interface RetrieveAnswer {
  readonly data: JsonObject;
  readonly pagination?: Pagination;
}

/**
 * Tokens that the budget leaves besides this answer; Infinity without a budget, below zero if the answer is
 * too large.
 */
export function tokensLeftFor(
  data: JsonObject,
  { budgetTokens, count, weigh }: Pick<AnswerLimits, "budgetTokens" | "count" | "weigh">,
  pagination?: Pagination,
): number {
  if (budgetTokens === "off") return Number.POSITIVE_INFINITY;
  // Written so that a budget that is not a number counts as the minimum.
  const budget = budgetTokens > FLOOR_TOKENS ? budgetTokens : FLOOR_TOKENS;
  if (weigh !== undefined) return budget - weigh(data, pagination);
  const room = budget - ENVELOPE_TOKENS;
  return room - count(JSON.stringify(data), room);
}

export function pageKey(entry: ArchiveEntry, asked: JsonObject, limits: AnswerLimits): PageKey {
  const { tenant, cursorKeys: keys, now } = limits;
  return { hash: entry.hash, asked, tenant, keys, now };
}

/** The list of an answer, and where its page begins. */
interface PageAsked extends Paged {
  readonly start: PagePlace;
  readonly maxItems: number;
  /** How many items are loaded from the start on, if not all. Default: all. */
  readonly atHand?: number | undefined;
  /** The data of a page, without the archive's name. */
  readonly frame: (page: Pick<ItemPage, "items" | "isPiece">, returned: number) => JsonObject;
}

const MAX_PAGE_SIZE = 1_000;
/** Room for a passage or a row; in less room, the hash would take more than the items. */
const LEAST_ROOM = 160;
const MAX_TRIES = 6;
/** No cursor is longer than a cursor to this place. */
const lastPlace = { item: 999_999_999, slice: { unit: 999_999_999, codePoint: 999_999_999 } } as const;

/** The most items of one page. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
}

export async function answerPage(
  paged: PageAsked,
  key: PageKey,
  limits: AnswerLimits,
): Promise<Required<RetrieveAnswer> & { readonly isWhole: boolean }> {
  const { list, start, maxItems, frame } = paged;
  const paginate = (cursor: string | null): Pagination => ({
    cursor,
    has_more: cursor !== null,
    page_size: maxItems,
    total_count: list.count,
  });
  const longest = paginate(await writePlace(lastPlace, key));
  const names: readonly JsonObject[] = [
    { archive: `sha256:${key.hash}`, verified: true },
    { archive: handleOf(key.hash) },
  ];
  const empty = frame({ items: [], isPiece: false }, maxItems);
  const rooms = names.map((name) => tokensLeftFor({ ...name, ...empty }, limits, longest));
  // If there is hardly any room, the archive is named by its handle: the caller knows the hash.
  const chosen = (rooms[0] ?? 0) < LEAST_ROOM ? 1 : 0;
  const most = Math.min(maxItems, paged.atHand ?? maxItems);
  const room = rooms[chosen] ?? 0;
  let roomTokens = room;
  for (let tries = 0; ; tries++) {
    const page = pageItems(paged, start, { maxItems: most, roomTokens, count: limits.count });
    const data = { ...names[chosen], ...frame(page, page.items.length) };
    const pagination = paginate(page.next === undefined ? null : await writePlace(page.next, key));
    const left = limits.weigh === undefined ? 0 : tokensLeftFor(data, limits, pagination);
    const isWhole = start.item === 0 && !page.isPiece && page.next === undefined;
    if (left >= 0 || tries === MAX_TRIES) return { data, pagination, isWhole };
    roomTokens = lessRoom(roomTokens, room, left);
  }
}

/**
 * Joined pieces may split into different tokens: the excess is taken off. Where items weigh a multiple of their own
 * weight, as if both channels are shown, their share is.
 */
function lessRoom(tried: number, room: number, left: number): number {
  const less = tried + left - 1;
  return less > tried / 2 ? less : Math.max(less, Math.floor((tried * room) / (room - left)));
}
