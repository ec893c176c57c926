import { decodeTables } from "../json/table/decode-tables.ts";
import type { JsonValue } from "../json/json-value.ts";
import { collectionsOf, ownId } from "../json/main-collection.ts";
import { appendPointer, getByPointer } from "../json/pointer.ts";

/** One thing that was left out, by the name it was asked for. */
export interface Retrieved {
  readonly id: string;
  /** Where it stands in the whole. */
  readonly pointer: string;
  readonly value: JsonValue;
}

// Each begins with a pointer, so that an item's own id is never taken for one.
const RANGE = /^((?:\/.*)?)\/(\d+)\.\.(\d+)$/s;
const EVERY = /^((?:\/.*)?)\/\*$/s;
const CHARS = /^((?:\/.*)?)#char=(\d+)-(\d+)$/s;

function itemsOf(whole: JsonValue, pointer: string, from: number, to: number, id: string): Retrieved[] {
  const list = getByPointer(whole, pointer);
  if (!Array.isArray(list)) return [];
  return list.slice(from, to + 1).map((value: JsonValue, index) => ({
    id,
    pointer: appendPointer(pointer, from + index),
    value,
  }));
}

function charsOf(whole: JsonValue, pointer: string, from: number, to: number, id: string): Retrieved[] {
  const text = getByPointer(whole, pointer);
  if (typeof text !== "string") return [];
  return [{ id, pointer, value: Array.from(text).slice(from, to).join("") }];
}

function byOwnId(whole: JsonValue, id: string, idPath: string | undefined): Retrieved[] {
  for (const { pointer, name, items } of collectionsOf(whole)) {
    const index = items.findIndex((item) => ownId(item, name, idPath) === id);
    if (index >= 0) return [{ id, pointer: appendPointer(pointer, index), value: items[index] ?? null }];
  }
  return [];
}

function pick(whole: JsonValue, id: string, idPath: string | undefined): Retrieved[] {
  const range = RANGE.exec(id);
  if (range !== null) return itemsOf(whole, range[1] ?? "", Number(range[2]), Number(range[3]), id);
  const chars = CHARS.exec(id);
  if (chars !== null) return charsOf(whole, chars[1] ?? "", Number(chars[2]), Number(chars[3]), id);
  const every = EVERY.exec(id);
  if (every !== null) {
    const list = getByPointer(whole, every[1] ?? "");
    if (Array.isArray(list)) return itemsOf(whole, every[1] ?? "", 0, list.length - 1, id);
    return list === undefined ? [] : [{ id, pointer: every[1] ?? "", value: list }];
  }
  if (!id.startsWith("/")) return byOwnId(whole, id, idPath);
  const value = getByPointer(whole, id);
  return value === undefined ? [] : [{ id, pointer: id, value }];
}

/** What the names of `dropped_content_ids` stand for in the whole; lists that travel as tables count as lists. */
export function pickDropped(whole: JsonValue, ids: readonly string[], idPath?: string): Retrieved[] {
  const plain = decodeTables(whole);
  return ids.flatMap((id) => pick(plain, id, idPath));
}
