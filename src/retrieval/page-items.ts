import { faults } from "../contract/faults.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { type ReadEntry, memoize } from "./entry-cache.ts";
import type { FoundItem, ItemList } from "./item-list.ts";
import { type SlicePlace, sliceText } from "./slice-text.ts";

/** Where a page begins: at an item, or inside the JSON text of one. */
export interface PagePlace {
  readonly item: number;
  readonly slice?: SlicePlace | undefined;
}

export interface ItemPage {
  readonly items: readonly JsonObject[];
  /** Where the next page begins; undefined after the last. */
  readonly next: PagePlace | undefined;
}

export interface PageLimits {
  readonly maxItems: number;
  /** Tokens left for the items; Infinity where no budget is on. */
  readonly roomTokens: number;
  readonly count: (text: string, limit?: number) => number;
}

/** As many items as there is room for, one at least: an item that is too large alone comes in slices of its text. */
export function pageItems(list: ItemList, start: PagePlace, limits: PageLimits, entry: ReadEntry): ItemPage {
  if (start.slice !== undefined) return slicePage(list, start, limits, entry);
  const items: JsonObject[] = [];
  let room = limits.roomTokens;
  let index = start.item;
  for (; index < list.count && items.length < limits.maxItems; index++) {
    const item = list.at(index);
    const line: JsonObject = { pointer: item.pointer, value: item.value };
    room -= cost(entry, item, line, room, limits);
    if (room < 0) break;
    items.push(line);
  }
  if (items.length === 0 && index < list.count) return slicePage(list, { item: index }, limits, entry);
  return { items, next: index < list.count ? { item: index } : undefined };
}

function cost(
  entry: ReadEntry,
  item: FoundItem,
  line: JsonObject,
  room: number,
  { count, roomTokens }: PageLimits,
): number {
  if (roomTokens === Number.POSITIVE_INFINITY) return 0;
  // Counted with the comma that follows: the sum is then not below the count of the whole.
  const text = `{"pointer":${JSON.stringify(line["pointer"])},"value":${textOf(entry, item)}},`;
  return count(text, Math.max(0, room));
}

function slicePage(list: ItemList, place: PagePlace, limits: PageLimits, entry: ReadEntry): ItemPage {
  const item = list.at(place.item);
  const { slice, next } = sliceText(textOf(entry, item), place.slice, (candidate) =>
    fitsRoom({ pointer: item.pointer, ...candidate }, limits),
  );
  const line: JsonObject = { pointer: item.pointer, ...slice };
  if (next !== undefined) return { items: [line], next: { item: place.item, slice: next } };
  const following = place.item + 1;
  return { items: [line], next: following < list.count ? { item: following } : undefined };
}

function fitsRoom(line: JsonObject, { count, roomTokens }: PageLimits): boolean {
  if (roomTokens === Number.POSITIVE_INFINITY) return true;
  return count(JSON.stringify(line), Math.max(0, roomTokens)) <= roomTokens;
}

/** The compact JSON of an item. The last one is kept: a large item is asked for page after page. */
function textOf(entry: ReadEntry, { pointer, value }: FoundItem): string {
  return memoize(entry, "text", pointer, () => toJsonText(value));
}

function toJsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify is recursive and gives up a few thousand levels down.
    throw faults.validation("The item is nested too deeply to be written out.", {
      errorCode: "TOO_LARGE",
      remediation: "Ask for a part of it by a longer pointer, or read the archive as a resource.",
      cause: error,
    });
  }
}
