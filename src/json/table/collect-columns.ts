import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";
import { MAX_COLUMNS } from "./table-notation.ts";

/** Deeper objects stay whole in their cell: every level is written again in the name of each column below it. */
const MAX_FLATTENED = 8;

export interface Column {
  readonly path: readonly string[];
  /** One cell for each row; undefined where the row has no such key. */
  readonly cells: readonly (JsonValue | undefined)[];
  readonly present: number;
}

export interface Columns {
  readonly columns: readonly Column[];
  /** Characters of all that is neither cell nor row separator when the rows are written as objects. */
  readonly plainLength: number;
}

/** A key of the rows at its place, with the keys met below it in the order in which every row has them. */
interface Place {
  readonly key: string;
  readonly path: readonly string[];
  readonly length: number;
  readonly below: Place[];
  readonly known: Map<string, Place>;
  readonly cells: (JsonValue | undefined)[];
  present: number;
}

function createPlace(key: string, path: readonly string[]): Place {
  // Quotes and colon; escapes only make it longer.
  return { key, path, length: key.length + 3, below: [], known: new Map(), cells: [], present: 0 };
}

class Collector {
  readonly root = createPlace("", []);
  plainLength = 0;
  #width = 0;
  #row = 0;

  /** False when the row has keys in another order than those before, or the table would be too wide. */
  add(row: JsonObject): boolean {
    const fits = this.#enter(this.root, row);
    this.#row += 1;
    return fits && this.#width <= MAX_COLUMNS;
  }

  #enter(place: Place, object: JsonObject): boolean {
    const keys = Object.keys(object);
    this.plainLength += 1 + Math.max(1, keys.length);
    let at = 0;
    for (const key of keys) {
      let next = place.below[at];
      if (next === undefined || next.key !== key) {
        at = this.#find(place, key, at);
        next = place.below[at];
        if (next === undefined) return false;
      }
      at += 1;
      this.plainLength += next.length;
      if (!this.#put(next, object[key] ?? null)) return false;
    }
    return true;
  }

  #put(place: Place, value: JsonValue): boolean {
    const isInner = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isInner && place.path.length < MAX_FLATTENED) {
      for (const _ in value as JsonObject) return this.#enter(place, value as JsonObject);
    }
    const { cells } = place;
    if (place.present === 0) this.#width += 1;
    while (cells.length < this.#row) cells.push(undefined);
    cells.push(value);
    place.present += 1;
    return true;
  }

  /** The index of the key at or after `from`; a new key gets a place there, one known before has none. */
  #find({ below, known, path }: Place, key: string, from: number): number {
    const place = known.get(key);
    if (place !== undefined) return below.indexOf(place, from);
    if (known.size >= MAX_COLUMNS) return -1;
    const created = createPlace(key, [...path, key]);
    known.set(key, created);
    below.splice(from, 0, created);
    return from;
  }
}

function* leaves(place: Place, rows: number): Generator<Column> {
  const { path, cells, present } = place;
  if (present > 0) {
    while (cells.length < rows) cells.push(undefined);
    yield { path, cells, present };
  }
  for (const next of place.below) yield* leaves(next, rows);
}

/** The cells of like objects by column, inner objects flattened; undefined where one order does not fit all rows. */
export function collectColumns(rows: readonly JsonValue[]): Columns | undefined {
  const collector = new Collector();
  for (const row of rows) {
    if (!isJsonObject(row) || !collector.add(row)) return undefined;
  }
  return { columns: [...leaves(collector.root, rows.length)], plainLength: collector.plainLength };
}
