import { type JsonValue, isJsonObject } from "./json-value.ts";
import { keysOf } from "./object-keys.ts";
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
