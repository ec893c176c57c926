import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";
import {
  type ColumnName,
  MAX_COLUMNS,
  MAX_UNFOLDED,
  type Table,
  readTemplate,
  textLength,
  underMarker,
} from "./table-notation.ts";

/** The source of a column's cells. */
export interface ReadColumn {
  readonly name: ColumnName;
  /** The index of the column's cell in a row, or of the column that it is derived from. */
  readonly index?: number;
  /** The texts around the source column's text. */
  readonly around?: readonly [before: string, after: string];
  /** One value for all rows. */
  readonly same?: JsonValue;
}

export interface ReadTable {
  readonly columns: readonly ReadColumn[];
  readonly rows: Table["rows"];
  /** The cell for a missing key; undefined if every row has every key. */
  readonly absent: null | string | undefined;
  readonly objects: NonNullable<Table["objects"]>;
  /** The number of characters, besides cells, that the rows unfold into. */
  readonly unfolded: number;
}

/** Throws if a value only looks like a table. */
export function need(isSo: boolean): asserts isSo {
  if (!isSo) throw new Error("no table");
}

/** The result of `read`; undefined if one of its conditions fails. */
export function ifReadable<Read>(read: () => Read): Read | undefined {
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
export function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  return table && ifReadable(() => read(table));
}

/** Whether a value is a list of objects as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
