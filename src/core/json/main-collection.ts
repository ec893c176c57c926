import { type JsonValue, isJsonObject } from "./json-value.ts";
import { keysOf } from "./json-chunks.ts";
import { appendPointer, resolvePath } from "./pointer.ts";

/** A list inside a value: its place, its name, its items. */
export interface Collection {
  readonly pointer: string;
  /** The last key on the way to the list; `items` if the list is the whole value. */
  readonly name: string;
  readonly items: readonly JsonValue[];
}

// Payloads wrap their lists a few keys deep; a deeper list belongs to something else.
const MAX_DEPTH = 16;
/**
 * A list of one item counts as a wrapper only if the item holds a list longer than this: a lone record may well have
 * twenty labels.
 */
const WRAPPED_ITEMS = 32;

/**
 * The lists of a value in document order. A list inside an item is part of the item, not a list of its own, unless its
 * outer list has only one item and wraps a long list: then the inner lists replace it.
 */
export function collectionsOf(value: JsonValue): Collection[] {
  return collect(value, "", "items", 0);
}

function collect(value: JsonValue, pointer: string, name: string, depth: number): Collection[] {
  if (Array.isArray(value)) {
    const list = { pointer, name, items: value as readonly JsonValue[] };
    return wrappedIn(list, depth) ?? [list];
  }
  if (!isJsonObject(value) || depth >= MAX_DEPTH) return [];
  const found: Collection[] = [];
  for (const key of keysOf(value)) {
    const inner = value[key];
    if (typeof inner !== "object" || inner === null) continue;
    for (const list of collect(inner, appendPointer(pointer, key), key, depth + 1)) found.push(list);
  }
  return found;
}

function wrappedIn({ pointer, name, items }: Collection, depth: number): Collection[] | undefined {
  const [only] = items;
  if (items.length !== 1 || only === undefined || depth >= MAX_DEPTH) return undefined;
  const inner = collect(only, appendPointer(pointer, 0), name, depth + 1);
  return inner.some((list) => list.items.length > WRAPPED_ITEMS) ? inner : undefined;
}

/** The list with the most items, the first among equals; undefined if the value has no list. */
export function mainCollection(value: JsonValue): Collection | undefined {
  let main: Collection | undefined;
  for (const collection of collectionsOf(value)) {
    if (main === undefined || collection.items.length > main.items.length) main = collection;
  }
  return main;
}

/** The singular of an English plural by its ending; any other word stays as it is. */
export function singularOf(name: string): string {
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|[^aeo]us)es$/i.test(name)) return name.slice(0, -2);
  return /[^su]s$/i.test(name) ? name.slice(0, -1) : name;
}

/** The item's own id: at `idPath`, else `id`, `<singular>_id` or `key`; numbers as decimal text. */
export function ownId(item: JsonValue, collectionName: string, idPath?: string): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const configured = idPath === undefined ? undefined : toId(resolvePath(item, idPath));
  if (configured !== undefined) return configured;
  for (const key of ["id", `${singularOf(collectionName)}_id`, "key"]) {
    const id = Object.hasOwn(item, key) ? toId(item[key]) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

function toId(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  // A number past 2^53 lost digits when it was parsed, so its text would name another item.
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

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
