import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";
import { MAX_COLUMNS } from "./table-notation.ts";

/** Deeper objects stay whole in their cell: the name of each column repeats every level above it. */
const MAX_FLATTENED = 8;
/**
 * Objects used as maps have many keys and share few of them: beyond ALWAYS_ALLOWED places, at least one in eight must
 * be filled.
 */
const MAX_EMPTY_FACTOR = 8;
const ALWAYS_ALLOWED = 4096;

/** A key of the rows at its place, with the keys below it in the order in which every row has them. */
export interface KeyPlace {
  readonly key: string;
  readonly path: readonly string[];
  /** Each row's value at this place; undefined, or missing at the end of the list, if a row has no such key. */
  readonly cells: (JsonValue | undefined)[];
  readonly below: KeyPlace[];
  readonly known: Map<string, KeyPlace>;
  /** How many cells are objects with at least one key, and how many are anything else. */
  objects: number;
  values: number;
  /** The characters of everything but values when the objects here are written: braces, commas, keys. */
  plainLength: number;
  /** The number of keys of all objects here together. */
  entries: number;
  /** Set if the objects here are not split into columns. */
  isWhole: boolean;
}

function createPlace(key: string, path: readonly string[]): KeyPlace {
  return {
    key,
    path,
    cells: [],
    below: [],
    known: new Map(),
    objects: 0,
    values: 0,
    plainLength: 0,
    entries: 0,
    isWhole: path.length >= MAX_FLATTENED,
  };
}

/** Objects with at least one key can be split into columns. */
export function isFilledObject(value: JsonValue | undefined): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  for (const _ in value as JsonObject) return true;
  return false;
}

class Collector {
  readonly root = createPlace("", []);
  #row = 0;

  /** False if the row has its keys in another order than earlier rows, or too many keys of its own. */
  add(row: JsonObject): boolean {
    this.root.objects += 1;
    const fits = this.#enter(this.root, row);
    this.#row += 1;
    return fits;
  }

  #enter(place: KeyPlace, object: JsonObject): boolean {
    const keys = Object.keys(object);
    place.entries += keys.length;
    // Braces and commas; then quotes and colon of each key, which escapes only make longer.
    place.plainLength += 1 + Math.max(1, keys.length);
    let at = 0;
    for (const key of keys) {
      let next = place.below[at];
      if (next === undefined || next.key !== key) {
        at = this.#find(place, key, at);
        next = place.below[at];
        if (next === undefined) return false;
      }
      at += 1;
      place.plainLength += key.length + 3;
      this.#put(next, object[key] ?? null);
    }
    return true;
  }

  #put(place: KeyPlace, value: JsonValue): void {
    const { cells } = place;
    while (cells.length < this.#row) cells.push(undefined);
    cells.push(value);
    if (!isFilledObject(value)) {
      place.values += 1;
      return;
    }
    place.objects += 1;
    if (!place.isWhole && !this.#enter(place, value)) place.isWhole = true;
  }

  /** The index of the key at or after `from`. A new key gets a place there; -1 if a known key's place is before. */
  #find({ below, known, path, objects, entries }: KeyPlace, key: string, from: number): number {
    const place = known.get(key);
    if (place !== undefined) return below.indexOf(place, from);
    const wanted = (known.size + 1) * objects;
    if (known.size >= MAX_COLUMNS || wanted > entries * MAX_EMPTY_FACTOR + ALWAYS_ALLOWED) return -1;
    const created = createPlace(key, [...path, key]);
    known.set(key, created);
    below.splice(from, 0, created);
    return from;
  }
}

/** The places of like objects as a tree; undefined if one order of keys does not fit all rows. */
export function collectPlaces(rows: readonly JsonValue[]): KeyPlace | undefined {
  const collector = new Collector();
  for (const row of rows) {
    if (!isJsonObject(row) || !collector.add(row)) return undefined;
  }
  return collector.root;
}
