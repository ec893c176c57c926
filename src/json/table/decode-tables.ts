import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import { deriveCell } from "./derive-columns.ts";
import { type CellSource, type ReadTable, readTable } from "./read-table.ts";
import { MAX_DEPTH, MAX_UNFOLDED, columnPath, textLength, underMarker } from "./table-notation.ts";

/** The objects of a group by their names. */
type Lookup = ReadonlyMap<JsonValue, { readonly object: JsonObject; readonly length: number }>;

/** A key of the rows' objects: the column that ends there, and the keys of the object below it. */
interface Place {
  readonly key: string;
  readonly level: number;
  readonly below: Map<string, Place>;
  source?: CellSource;
  lookup?: Lookup | undefined;
}

/** A table cannot be read in which one place has two values, or a name stands for nothing. */
class Unreadable extends Error {}

class TableReader {
  readonly #table: ReadTable;
  readonly #depth: number;
  readonly #root: Place = { key: "", level: 0, below: new Map() };
  #unfolded: number;

  constructor(table: ReadTable, depth: number) {
    this.#table = table;
    this.#depth = depth;
    this.#unfolded = table.unfolded;
    const lookups = new Map(
      table.objects.flatMap(({ columns, by, list }) => {
        const lookup = this.#lookup(decode(list, depth + 1), by);
        return columns.map((name) => [name, lookup] as const);
      }),
    );
    for (const { name, source } of table.columns) {
      const place = this.#place(columnPath(name));
      if (place.source !== undefined) throw new Unreadable();
      place.source =
        source.kind === "same"
          ? { kind: "same", value: decode(source.value, depth + place.level + 1) }
          : source;
      if (typeof name === "string") place.lookup = lookups.get(name);
    }
  }

  read(): JsonValue {
    return this.#table.rows.map((row) => this.#object(this.#root, row) ?? {});
  }

  #place(path: readonly string[]): Place {
    let place = this.#root;
    for (const key of path) {
      const next = place.below.get(key) ?? { key, level: place.level + 1, below: new Map() };
      place.below.set(key, next);
      place = next;
    }
    return place;
  }

  #lookup(list: JsonValue, by: string): Lookup {
    if (!Array.isArray(list)) throw new Unreadable();
    return new Map(
      (list as readonly JsonValue[]).map((object) => {
        if (!isJsonObject(object) || !Object.hasOwn(object, by)) throw new Unreadable();
        return [object[by] ?? null, { object, length: textLength(object) }];
      }),
    );
  }

  #object({ below }: Place, row: readonly JsonValue[]): JsonObject | undefined {
    let object: Record<string, JsonValue> | undefined;
    for (const place of below.values()) {
      const cell = place.source && this.#cell(place, place.source, row);
      const inner = place.below.size > 0 ? this.#object(place, row) : undefined;
      if (cell !== undefined && inner !== undefined) throw new Unreadable();
      const value = cell ?? inner;
      if (cell === null) setOwn((object ??= {}), place.key, null);
      else if (value !== undefined) setOwn((object ??= {}), place.key, value);
    }
    return object;
  }

  #cell({ lookup, level }: Place, source: CellSource, row: readonly JsonValue[]): JsonValue | undefined {
    const value = this.#written(source, row, level);
    if (lookup === undefined || value === undefined) return value;
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).map((name) => this.#named(lookup, name))
      : this.#named(lookup, value);
  }

  #written(source: CellSource, row: readonly JsonValue[], level: number): JsonValue | undefined {
    if (source.kind === "same") return source.value;
    const written = row[source.index];
    const cell = written === this.#table.absent ? undefined : written;
    if (source.kind === "derived") return deriveCell(cell, source.before, source.after);
    return cell === undefined ? undefined : decode(cell, this.#depth + level + 1);
  }

  /** Only a text or a number is a name. */
  #named(lookup: Lookup, name: JsonValue): JsonValue {
    if (typeof name !== "string" && typeof name !== "number") return name;
    const found = lookup.get(name);
    this.#unfolded += found?.length ?? MAX_UNFOLDED;
    if (found === undefined || this.#unfolded >= MAX_UNFOLDED) throw new Unreadable();
    return found.object;
  }
}

function decodeTable(object: JsonObject, depth: number): JsonValue | undefined {
  const table = readTable(object);
  if (table === undefined) return undefined;
  try {
    return new TableReader(table, depth).read();
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
