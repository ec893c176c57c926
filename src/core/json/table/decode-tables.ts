import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import {
  MAX_TABLE_DEPTH,
  MAX_UNFOLDED,
  columnPath,
  deriveCell,
  textLength,
  underMarker,
  type ColumnName,
  MAX_COLUMNS,
  type Table,
  readTemplate,
} from "./table-notation.ts";

/** The objects of a group by their names. */
type Lookup = ReadonlyMap<JsonValue, { readonly object: JsonObject; readonly length: number }>;

/** A key of the rows' objects: the column that ends there, and the keys of the object below it. */
interface Place {
  readonly key: string;
  readonly level: number;
  readonly below: Map<string, Place>;
  column?: ReadColumn;
  lookup?: Lookup | undefined;
}

function toLookup(list: JsonValue, by: unknown): Lookup {
  need(Array.isArray(list) && typeof by === "string");
  return new Map(
    (list as readonly JsonValue[]).map((object) => {
      need(isJsonObject(object) && Object.hasOwn(object, by));
      return [object[by] ?? null, { object, length: textLength(object) }];
    }),
  );
}

class TableReader {
  readonly #table: ReadTable;
  readonly #depth: number;
  readonly #root: Place = { key: "", level: 0, below: new Map() };
  #unfolded: number;

  constructor(table: ReadTable, depth: number) {
    this.#table = table;
    this.#depth = depth;
    this.#unfolded = table.unfolded;
    const lookups = new Map<unknown, Lookup>();
    for (const { columns, by, list, ...more } of table.objects) {
      need(Array.isArray(columns) && Object.keys(more).length === 0);
      const lookup = toLookup(decode(list, depth + 1), by);
      for (const name of columns) lookups.set(name, lookup);
    }
    for (const column of table.columns) {
      const place = this.#placeOf(column);
      need(place.column === undefined);
      const { name, same } = column;
      place.column = same === undefined ? column : { name, same: decode(same, depth + place.level + 1) };
      place.lookup = lookups.get(name);
    }
  }

  read(): JsonValue {
    return this.#table.rows.map((row) => this.#object(this.#root, row) ?? {});
  }

  #placeOf({ name }: ReadColumn): Place {
    let place = this.#root;
    for (const key of columnPath(name)) {
      const next = place.below.get(key) ?? { key, level: place.level + 1, below: new Map() };
      place.below.set(key, next);
      place = next;
    }
    return place;
  }

  #object({ below }: Place, row: readonly JsonValue[]): JsonObject | undefined {
    let object: Record<string, JsonValue> | undefined;
    for (const place of below.values()) {
      const cell = this.#cell(place, row);
      const inner = place.below.size > 0 ? this.#object(place, row) : undefined;
      // One place cannot have two values.
      need(cell === undefined || inner === undefined);
      const value = cell === undefined ? inner : cell;
      if (value !== undefined) setOwn((object ??= {}), place.key, value);
    }
    return object;
  }

  #cell(place: Place, row: readonly JsonValue[]): JsonValue | undefined {
    const { lookup } = place;
    const value = this.#written(place, row);
    if (lookup === undefined || value === undefined) return value;
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).map((name) => this.#named(lookup, name))
      : this.#named(lookup, value);
  }

  #written({ column, level }: Place, row: readonly JsonValue[]): JsonValue | undefined {
    const { same, index = -1, around } = column ?? {};
    if (same !== undefined) return same;
    const written = row[index];
    if (written === undefined || written === this.#table.absent) return undefined;
    return around === undefined ? decode(written, this.#depth + level + 1) : deriveCell(written, ...around);
  }

  /** Only a text or a number is a name. */
  #named(lookup: Lookup, name: JsonValue): JsonValue {
    if (typeof name !== "string" && typeof name !== "number") return name;
    const { object, length } = lookup.get(name) ?? {};
    this.#unfolded += length ?? 0;
    need(object !== undefined && this.#unfolded < MAX_UNFOLDED);
    return object;
  }
}

function decodeTable(object: JsonObject, depth: number): JsonValue | undefined {
  const table = readTable(object);
  return table && ifReadable(() => new TableReader(table, depth).read());
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
  if (typeof value !== "object" || value === null || depth > MAX_TABLE_DEPTH) return value;
  if (!Array.isArray(value)) return decodeObject(value as JsonObject, depth);
  const items = value as readonly JsonValue[];
  const decoded = items.map((item) => decode(item, depth + 1));
  return decoded.every((item, index) => item === items[index]) ? value : decoded;
}

/**
 * Restores the lists that `encodeTables` wrote as tables; a damaged table, or a value that is not a table, stays
 * unchanged.
 */
export function decodeTables(value: JsonValue): JsonValue {
  return decode(value, 1);
}

/** The source of a column's cells. */
interface ReadColumn {
  readonly name: ColumnName;
  /** The index of the column's cell in a row, or of the column that it is derived from. */
  readonly index?: number;
  /** The texts around the source column's text. */
  readonly around?: readonly [before: string, after: string];
  /** One value for all rows. */
  readonly same?: JsonValue;
}

interface ReadTable {
  readonly columns: readonly ReadColumn[];
  readonly rows: Table["rows"];
  /** The cell for a missing key; undefined if every row has every key. */
  readonly absent: null | string | undefined;
  readonly objects: NonNullable<Table["objects"]>;
  /** The number of characters, besides cells, that the rows unfold into. */
  readonly unfolded: number;
}

/** Throws if a value only looks like a table. */
function need(isSo: boolean): asserts isSo {
  if (!isSo) throw new Error("no table");
}

/** The result of `read`; undefined if one of its conditions fails. */
function ifReadable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function constantColumns(same: JsonObject): readonly ReadColumn[] {
  return Object.entries(same).map(([name, value]) => ({ name, same: value }));
}

function derivedColumns(derived: JsonObject, columns: Table["columns"]): readonly ReadColumn[] {
  const names = new Set(columns);
  return Object.entries(derived).map(([name, text]) => {
    const template = readTemplate(text as string, names);
    need(template !== undefined);
    const [before, source, after] = template;
    return { name, index: columns.indexOf(source), around: [before, after] };
  });
}

/** Every position by itself; throws if one occurs twice or is out of range. */
function listPositions(positions: readonly unknown[], total: number): readonly number[] {
  const listed = new Set<number>();
  for (const position of positions) {
    const [first, last, more]: readonly unknown[] = Array.isArray(position) ? position : [position, position];
    need(
      Number.isInteger(first) &&
        Number.isInteger(last) &&
        more === undefined &&
        Number(first) <= Number(last),
    );
    for (let at = Number(first); at <= Number(last); at++) {
      need(at >= 0 && at < total && !listed.has(at));
      listed.add(at);
    }
  }
  return [...listed];
}

/**
 * Throws for a damaged table. Faults that are not checked here throw when they are used, and are caught in the same
 * place.
 */
function read(given: JsonObject): ReadTable {
  const { rows, objects = [], ...header } = given as JsonObject & Table;
  const { same = {}, derived = {}, positions = [], absent, columns, ...more } = header;
  const unfolded = textLength(header) * rows.length;
  need(
    isJsonObject(same) &&
      isJsonObject(derived) &&
      Array.isArray(columns) &&
      rows.every((row) => Array.isArray(row) && row.length === columns.length) &&
      unfolded < MAX_UNFOLDED &&
      Object.keys(more).length === 0,
  );
  const hoisted = [...constantColumns(same), ...derivedColumns(derived, columns)];
  const total = hoisted.length + columns.length;
  const places = listPositions(positions, total);
  need(places.length === hoisted.length && total <= MAX_COLUMNS);
  const placed = new Map(places.map((place, at) => [place, hoisted[at]]));
  let index = 0;
  const ordered = Array.from({ length: total }, (_, place) => {
    return placed.get(place) ?? { name: columns[index] ?? "", index: index++ };
  });
  return { columns: ordered, rows, absent, objects, unfolded };
}

/** The content of a table; undefined for anything else, also for a damaged table. */
function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  return table && ifReadable(() => read(table));
}

/** Whether a value is a list of objects as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
