import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { faults } from "../../core/contract/faults.ts";
import { type CursorKeys, type SignedCursorOptions, refuseCursor } from "./cursor/cursor-options.ts";
import { decodeCursor, encodeCursor } from "./cursor/cursor.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { type ReadEntry, memoize } from "./read-entry.ts";
import type { FoundItem } from "../../core/json/main-collection.ts";
import type { ItemList } from "./item-list.ts";
import { runText, writeRun } from "./row-runs.ts";
import { type SlicePlace, sliceText } from "./select-pointer.ts";

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
export function writePlace({ item, slice }: PagePlace, key: PageKey): Promise<string> {
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
  /** True if items that follow each other in one list are written as a run, with one pointer for all. */
  readonly hasRuns?: boolean | undefined;
  /** True if one piece of an item is enough, because the rest can be requested by its name. */
  readonly hasOnePiece?: boolean | undefined;
}

export const placedItems: ItemForm = {
  whole: ({ pointer, value }) => ({ pointer, value }),
  text: ({ pointer }, json) => `{"pointer":${JSON.stringify(pointer)},"value":${json}}`,
  piece: ({ pointer }, slice) => ({ pointer, ...slice }),
};

/** The same; rows that follow each other are as dense as the list they are from. */
export const placedRuns: ItemForm = { ...placedItems, hasRuns: true };

export interface ItemPage {
  readonly items: readonly JsonValue[];
  /** How many items of the list they are: a run has several. */
  readonly returned: number;
  /** The only item is a piece. */
  readonly isPiece: boolean;
  /** Where the next page begins; undefined after the last page. */
  readonly next: PagePlace | undefined;
  /** Tokens that the items left by their own counts; undefined if the page ended for another reason. */
  readonly spare?: number | undefined;
}

interface PageLimits {
  readonly maxItems: number;
  /** Tokens left for the items; Infinity without a budget. */
  readonly roomTokens: number;
  readonly count: (text: string, limit?: number) => number;
}

/** The parts of a page: items, their cached texts, and how they are written in an answer. */
export interface Paged {
  readonly list: ItemList;
  readonly entry: Pick<ReadEntry, "memo">;
  readonly form: ItemForm;
}

/** As many items as fit, at least one: an item that is too large alone comes in slices of its text. */
export function pageItems(paged: Paged, start: PagePlace, limits: PageLimits): ItemPage {
  if (start.slice !== undefined) return slicePage(paged, start, limits);
  const { list, form } = paged;
  const runs: FoundItem[][] = [];
  let room = limits.roomTokens;
  let index = start.item;
  for (; index < list.count && index - start.item < limits.maxItems; index++) {
    const item = list.at(index);
    const run = isNext(paged, index) ? runs.at(-1) : undefined;
    const price = cost(paged, { item, index, isFirst: run === undefined }, room, limits);
    if (price > room) break;
    room -= price;
    if (run === undefined) runs.push([item]);
    else run.push(item);
  }
  const returned = index - start.item;
  if (returned === 0 && index < list.count) return slicePage(paged, { item: index }, limits);
  const items = runs.map((run) => writeRun(run, form.whole));
  const next = index < list.count ? { item: index } : undefined;
  return { items, returned, isPiece: false, next, spare: returned < limits.maxItems ? room : undefined };
}

function isNext({ list, form }: Paged, index: number): boolean {
  return form.hasRuns === true && index < list.count && list.follows?.(index) === true;
}

interface Costed {
  readonly item: FoundItem;
  readonly index: number;
  /** It does not continue a run. */
  readonly isFirst: boolean;
}

function cost(paged: Paged, costed: Costed, room: number, { count, roomTokens }: PageLimits): number {
  if (roomTokens === Number.POSITIVE_INFINITY) return 0;
  // Counted with the comma that follows: the sum is then at least the count of the whole.
  return count(`${textIn(paged, costed)},`, Math.max(0, room));
}

/** The text that an item adds to its page. */
function textIn(paged: Paged, { item, index, isFirst }: Costed): string {
  const json = textOf(paged, item);
  if (!isFirst) return json;
  // How long the run will be is not known yet.
  return isNext(paged, index + 1) ? runText(item, json) : paged.form.text(item, json);
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
    return { items, returned: 1, isPiece: true, next: { item: place.item, slice: next } };
  const following = place.item + 1;
  return {
    items,
    returned: 1,
    isPiece: true,
    next: following < list.count ? { item: following } : undefined,
  };
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
