import { type JsonValue, isJsonObject } from "./json-value.ts";
import { collectionsOf, mainCollection, ownId } from "./main-collection.ts";
import { appendPointer } from "./pointer.ts";

/** Something found in a value, and its place. */
export interface FoundItem {
  readonly pointer: string;
  readonly value: JsonValue;
}

interface NamedArray {
  readonly pointer: string;
  readonly name: string;
  readonly items: readonly JsonValue[];
}

interface Place {
  readonly value: JsonValue;
  readonly pointer: string;
  readonly name: string;
}

/**
 * The items whose own id is one of these, by id. The main collection is searched first, then the other lists, then
 * every array inside their items; an id is taken from the first array that has it.
 */
export function findByIds(
  value: JsonValue,
  ids: readonly string[],
  idPath?: string,
): ReadonlyMap<string, readonly FoundItem[]> {
  const wanted = new Set(ids);
  const found = new Map<string, FoundItem[]>();
  for (const array of arraysInOrder(value)) {
    if (wanted.size === 0) break;
    const here = new Map<string, FoundItem[]>();
    for (const [index, item] of array.items.entries()) {
      const id = ownId(item, array.name, idPath);
      if (id === undefined || !wanted.has(id)) continue;
      const place = { pointer: appendPointer(array.pointer, index), value: item };
      here.set(id, [...(here.get(id) ?? []), place]);
    }
    for (const [id, items] of here) {
      found.set(id, items);
      wanted.delete(id);
    }
  }
  return found;
}

/** The ids that belong to exactly one item in all arrays, so that each is unambiguous. */
export function uniqueIds(value: JsonValue, idPath?: string): ReadonlySet<string> {
  const unique = new Set<string>();
  const repeated = new Set<string>();
  for (const { name, items } of everyArray(value)) {
    for (const item of items) {
      const id = ownId(item, name, idPath);
      if (id === undefined || repeated.has(id)) continue;
      if (unique.delete(id)) repeated.add(id);
      else unique.add(id);
    }
  }
  return unique;
}

function* arraysInOrder(value: JsonValue): Iterable<NamedArray> {
  const main = mainCollection(value);
  if (main !== undefined) yield main;
  for (const collection of collectionsOf(value)) if (collection.pointer !== main?.pointer) yield collection;
  // Arrays already searched come again, which is harmless: they have none of the ids still wanted.
  yield* everyArray(value);
}

function* everyArray(value: JsonValue): Iterable<NamedArray> {
  const pending: Place[] = [{ value, pointer: "", name: "items" }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (Array.isArray(place.value)) {
      const items = place.value as readonly JsonValue[];
      yield { pointer: place.pointer, name: place.name, items };
      for (let index = items.length - 1; index >= 0; index--) {
        push(items[index], place.pointer, index, place.name, pending);
      }
    } else if (isJsonObject(place.value)) {
      for (const key of Object.keys(place.value).reverse()) {
        push(place.value[key], place.pointer, key, key, pending);
      }
    }
  }
}

function push(
  value: JsonValue | undefined,
  base: string,
  key: string | number,
  name: string,
  pending: Place[],
): void {
  if (typeof value !== "object" || value === null) return;
  pending.push({ value, pointer: appendPointer(base, key), name });
}
