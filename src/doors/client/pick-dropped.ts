import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { collectionsOf, ownId } from "../../core/json/main-collection.ts";
import { openTexts } from "../../core/json/open-texts.ts";
import { appendPointer, getByPointer } from "../../core/json/pointer.ts";
import { fieldsAt, hasStars, starredSteps } from "../../core/json/starred-pointer.ts";
import { asNamed } from "../../engine/retrieve/question/own-value.ts";
import { ResponseError } from "../../core/contract/response-error.ts";

/** One omitted part, with the name it was requested by. */
export interface Retrieved {
  readonly id: string;
  /** JSON Pointer to the part in the whole. */
  readonly pointer: string;
  readonly value: JsonValue;
}

// Each begins with a pointer, so that an item's own id is never mistaken for one.
const RANGE = /^((?:\/.*)?)\/(\d+)\.\.(\d+)$/s;
const EVERY = /^((?:\/.*)?)\/\*$/s;
const CHARS = /^((?:\/.*)?)#char=(\d+)-(\d+)$/s;

/** An honest answer has fewer such names; each walks the whole. */
const MAX_STARRED = 100;
/** More than any honest answer omits; names that overlap could ask for any number. */
const MAX_ITEMS = 10_000_000;
const MAX_CHARACTERS = 256 * 1024 * 1024;

function itemsOf(whole: JsonValue, pointer: string, from: number, to: number, id: string): Retrieved[] {
  const list = getByPointer(whole, pointer);
  if (!Array.isArray(list)) return [];
  return list.slice(from, to + 1).map((value: JsonValue, index) => ({
    id,
    pointer: appendPointer(pointer, from + index),
    value,
  }));
}

/** The whole, with lookups that are computed once for all names: the server chooses how many names there are. */
class Whole {
  readonly value: JsonValue;
  readonly #idPath: string | undefined;
  #byId: ReadonlyMap<string, Omit<Retrieved, "id">> | undefined;
  #opened: JsonValue | undefined;
  #starred = 0;
  /** The last text that was split into characters. */
  #characters: { readonly pointer: string; readonly of: readonly string[] } | undefined;

  constructor(value: JsonValue, idPath: string | undefined) {
    this.value = value;
    this.#idPath = idPath;
  }

  charactersAt(pointer: string): readonly string[] | undefined {
    if (this.#characters?.pointer === pointer) return this.#characters.of;
    const text = getByPointer(this.value, pointer);
    if (typeof text !== "string") return undefined;
    this.#characters = { pointer, of: Array.from(text) };
    return this.#characters.of;
  }

  /** The fields of many objects that a name with stars means, in the JSON of texts too. */
  starred(id: string): Retrieved[] {
    const steps = starredSteps(id);
    if (steps === undefined || (this.#starred += 1) > MAX_STARRED) throw tooMuch();
    this.#opened ??= openTexts(this.value);
    return fieldsAt(this.#opened, steps).map((field) => ({ id, ...field }));
  }

  /** The first item with this id, in the order of the lists. */
  byOwnId(id: string): Omit<Retrieved, "id"> | undefined {
    this.#byId ??= this.#indexIds();
    return this.#byId.get(id);
  }

  #indexIds(): ReadonlyMap<string, Omit<Retrieved, "id">> {
    const found = new Map<string, Omit<Retrieved, "id">>();
    for (const { pointer, name, items } of collectionsOf(this.value)) {
      for (const [index, value] of items.entries()) {
        const id = ownId(value, name, this.#idPath);
        if (id !== undefined && !found.has(id))
          found.set(id, { pointer: appendPointer(pointer, index), value });
      }
    }
    return found;
  }
}

function charsOf(whole: Whole, pointer: string, from: number, to: number, id: string): Retrieved[] {
  const characters = whole.charactersAt(pointer);
  return characters === undefined ? [] : [{ id, pointer, value: characters.slice(from, to).join("") }];
}

function pick(whole: Whole, id: string): Retrieved[] {
  const { value: root } = whole;
  if (hasStars(id)) return whole.starred(id);
  const range = RANGE.exec(id);
  if (range !== null) return itemsOf(root, range[1] ?? "", Number(range[2]), Number(range[3]), id);
  const chars = CHARS.exec(id);
  if (chars !== null) return charsOf(whole, chars[1] ?? "", Number(chars[2]), Number(chars[3]), id);
  const every = EVERY.exec(id);
  if (every !== null) {
    const list = getByPointer(root, every[1] ?? "");
    if (Array.isArray(list)) return itemsOf(root, every[1] ?? "", 0, list.length - 1, id);
    return list === undefined ? [] : [{ id, pointer: every[1] ?? "", value: list }];
  }
  if (!id.startsWith("/")) {
    const item = whole.byOwnId(id);
    return item === undefined ? [] : [{ id, ...item }];
  }
  const value = getByPointer(root, id);
  return value === undefined ? [] : [{ id, pointer: id, value }];
}

function tooMuch(): ResponseError {
  return new ResponseError(
    {
      message: "The names of what was left out match more items than any answer has",
      code: "TOO_LARGE",
      type: "validation",
      remediation: "Name the items that you need: retrieve(answer, ids).",
    },
    {},
  );
}

/** Resolves the names of `dropped_content_ids` in the whole; lists sent as tables count as lists. */
export function pickDropped(value: JsonValue, ids: readonly string[], idPath?: string): Retrieved[] {
  const whole = new Whole(asNamed(decodeTables(value), ids), idPath);
  const picked: Retrieved[] = [];
  let characters = 0;
  for (const id of ids) {
    for (const one of pick(whole, id)) {
      // Only a part of a text is a copy; every other value is shared with the whole.
      if (CHARS.test(id) && typeof one.value === "string") characters += one.value.length;
      if (picked.length >= MAX_ITEMS || characters > MAX_CHARACTERS) throw tooMuch();
      picked.push(one);
    }
  }
  return picked;
}
