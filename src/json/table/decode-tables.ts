import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import { deriveCell } from "./derive-columns.ts";
import { type CellSource, type ReadTable, readTable } from "./read-table.ts";
import { MAX_DEPTH, underMarker } from "./table-notation.ts";

/** A key of the rows' objects: the column that ends there, and the keys of the object below it. */
interface Place {
  readonly key: string;
  readonly level: number;
  readonly below: Map<string, Place>;
  source?: CellSource;
}

/** Undefined when two columns have one path. */
function placesOf({ columns }: ReadTable): Place | undefined {
  const root: Place = { key: "", level: 0, below: new Map() };
  for (const { path, source } of columns) {
    let place = root;
    for (const key of path) {
      const next = place.below.get(key) ?? { key, level: place.level + 1, below: new Map() };
      place.below.set(key, next);
      place = next;
    }
    if (place.source !== undefined) return undefined;
    place.source = source;
  }
  return root;
}

/** A table in which a row has both a value and an object at one place cannot be read. */
class Unreadable extends Error {}

class RowReader {
  readonly #absent: ReadTable["absent"];
  readonly #root: Place;
  readonly #depth: number;

  constructor({ absent }: ReadTable, root: Place, depth: number) {
    this.#absent = absent;
    this.#root = root;
    this.#depth = depth;
  }

  read(row: readonly JsonValue[]): JsonObject {
    return this.#object(this.#root, row) ?? {};
  }

  #object({ below }: Place, row: readonly JsonValue[]): JsonObject | undefined {
    let object: Record<string, JsonValue> | undefined;
    for (const place of below.values()) {
      const cell = place.source && this.#cell(place.source, row, place.level);
      const inner = place.below.size > 0 ? this.#object(place, row) : undefined;
      if (cell !== undefined && inner !== undefined) throw new Unreadable();
      const value = cell ?? inner;
      if (cell === null) setOwn((object ??= {}), place.key, null);
      else if (value !== undefined) setOwn((object ??= {}), place.key, value);
    }
    return object;
  }

  #cell(source: CellSource, row: readonly JsonValue[], level: number): JsonValue | undefined {
    if (source.kind === "same") return source.value;
    const written = row[source.index];
    const cell = written === this.#absent ? undefined : written;
    if (source.kind === "derived") return deriveCell(cell, source.before, source.after);
    return cell === undefined ? undefined : decode(cell, this.#depth + level + 1);
  }
}

function decodeTable(object: JsonObject, depth: number): JsonValue | undefined {
  const table = readTable(object);
  const root = table && placesOf(table);
  if (table === undefined || root === undefined) return undefined;
  const reader = new RowReader(table, root, depth);
  try {
    return table.rows.map((row) => reader.read(row));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** An object that only looked like a table when it was encoded. */
function literalIn(object: JsonObject): JsonObject | undefined {
  const { literal, ...more } = underMarker(object) ?? {};
  const isEscape = isJsonObject(literal) && Object.keys(more).length === 0;
  return isEscape && underMarker(literal) !== undefined ? literal : undefined;
}

function decodeObject(object: JsonObject, depth: number): JsonValue {
  const decoded = literalIn(object) ?? decodeTable(object, depth);
  if (decoded !== undefined) return decoded;
  let copy: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const inner = decode(value, depth + 1);
    if (inner === value) continue;
    copy ??= { ...object };
    setOwn(copy, key, inner);
  }
  return copy ?? object;
}

function decode(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (!Array.isArray(value)) return decodeObject(value as JsonObject, depth);
  const items = value as readonly JsonValue[];
  const decoded = items.map((item) => decode(item, depth + 1));
  return decoded.every((item, index) => item === items[index]) ? value : decoded;
}

/** Gives the lists back that `encodeTables` wrote as tables; what is not a table, or a damaged one, stays as it is. */
export function decodeTables(value: JsonValue): JsonValue {
  return decode(value, 1);
}
