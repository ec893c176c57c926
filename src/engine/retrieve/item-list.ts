import { type FoundItem, type Collection, collectionsOf } from "../../core/json/main-collection.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { appendPointer } from "../../core/json/pointer.ts";

/** Items that are made on demand: a page of twelve does not build a million of them. */
export interface ItemList {
  readonly count: number;
  readonly at: (index: number) => FoundItem;
  /** Whether the item follows the one before it in one list of the archive. Default: never. */
  readonly follows?: (index: number) => boolean;
}

export const noItems: ItemList = listOf([]);

export function listOf(items: readonly FoundItem[]): ItemList {
  return { count: items.length, at: (index) => items[index] ?? outside(index) };
}

/** The items of an array from `from` to `to`, both included and limited to the array. */
export function listRange(
  pointer: string,
  items: readonly JsonValue[],
  from = 0,
  to = Number.POSITIVE_INFINITY,
): ItemList {
  const count = Math.max(0, Math.min(to, items.length - 1) - from + 1);
  const at = (index: number): FoundItem => {
    if (index < 0 || index >= count) return outside(index);
    return { pointer: appendPointer(pointer, from + index), value: items[from + index] ?? null };
  };
  return { count, at, follows: (index) => index > 0 };
}

/** The members of an object or a list, one by one; for any other value, the value itself. */
export function membersAt(pointer: string, value: JsonValue): ItemList {
  if (Array.isArray(value)) return listRange(pointer, value as readonly JsonValue[]);
  if (!isJsonObject(value)) return listOf([{ pointer, value }]);
  return listOf(
    Object.entries(value).map(([key, member]) => ({ pointer: appendPointer(pointer, key), value: member })),
  );
}

export function joinLists(lists: readonly ItemList[]): ItemList {
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0) return only;
  let count = 0;
  const starts = lists.map((list) => (count += list.count) - list.count);
  const find = (index: number): { readonly list: ItemList; readonly own: number } => {
    const place = lastAtOrBefore(starts, index);
    const list = lists[place];
    return list === undefined ? outside(index) : { list, own: index - (starts[place] ?? 0) };
  };
  return {
    count,
    at: (index) => {
      const { list, own } = find(index);
      return list.at(own);
    },
    follows: (index) => {
      const { list, own } = find(index);
      return list.follows?.(own) === true;
    },
  };
}

// Empty lists share their start with the next one: the last of them has the item.
function lastAtOrBefore(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function pickItems(list: ItemList, indexes: readonly number[]): ItemList {
  return { count: indexes.length, at: (index) => list.at(indexes[index] ?? -1) };
}

export function* eachItem(list: ItemList): Iterable<FoundItem> {
  for (let index = 0; index < list.count; index++) yield list.at(index);
}

function outside(index: number): never {
  throw new RangeError(`There is no item ${index}.`);
}

/** The lists of a value that have items, the longest first, equally long ones in document order. */
function listsOf(value: JsonValue): Collection[] {
  const filled = collectionsOf(value).filter(({ items }) => items.length > 0);
  return filled.sort((a, b) => b.items.length - a.items.length);
}

/**
 * Everything in a value, each part once: the items of its lists, the longest list first, then the values
 * outside of lists, one by one. So a search finds every record.
 */
export function allItems(value: JsonValue): ItemList {
  const lists = listsOf(value);
  const loose = looseValues(value, new Set(lists.map(({ pointer }) => pointer)));
  return joinLists([...lists.map(({ pointer, items }) => listRange(pointer, items)), listOf(loose)]);
}

// The depth to which lists are searched for; anything deeper comes as one value.
const MAX_DEPTH = 16;

function looseValues(value: JsonValue, lists: ReadonlySet<string>): FoundItem[] {
  const loose: FoundItem[] = [];
  const pending: (FoundItem & { readonly depth: number })[] = [{ value, pointer: "", depth: 0 }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { pointer, depth } = place;
    if (lists.has(pointer)) continue;
    const inner = depth < MAX_DEPTH ? membersOf(place.value) : [];
    if (inner.length === 0) loose.push({ pointer, value: place.value });
    for (const [key, member] of inner.reverse()) {
      pending.push({ value: member, pointer: appendPointer(pointer, key), depth: depth + 1 });
    }
  }
  return loose;
}

function membersOf(value: JsonValue): [string | number, JsonValue][] {
  if (Array.isArray(value)) return [...(value as readonly JsonValue[]).entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}
