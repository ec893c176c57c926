import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { type Collection, collectionsOf } from "../json/main-collection.ts";
import { appendPointer } from "../json/pointer.ts";
import { type FoundItem, type ItemList, joinLists, listOf, listRange } from "./item-list.ts";

/** The lists of a value that have items, the longest first and equals in document order. */
function listsOf(value: JsonValue): Collection[] {
  const filled = collectionsOf(value).filter(({ items }) => items.length > 0);
  return filled.sort((a, b) => b.items.length - a.items.length);
}

/**
 * Everything a value holds, each part once: the items of its lists, the longest list first, then what stands
 * outside of lists, value by value. So no record is out of a search's reach.
 */
export function allItems(value: JsonValue): ItemList {
  const lists = listsOf(value);
  const loose = looseValues(value, new Set(lists.map(({ pointer }) => pointer)));
  return joinLists([...lists.map(({ pointer, items }) => listRange(pointer, items)), listOf(loose)]);
}

// As deep as lists are looked for; what lies deeper comes as one value.
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
