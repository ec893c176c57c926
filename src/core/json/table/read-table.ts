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

/** Where the cells of a column come from. */
export interface ReadColumn {
  readonly name: ColumnName;
  /** Its cell in a row, or that of the column it follows from. */
  readonly index?: number;
  /** The texts around the other column's own. */
  readonly around?: readonly [before: string, after: string];
  /** One value for all rows. */
  readonly same?: JsonValue;
}

export interface ReadTable {
  readonly columns: readonly ReadColumn[];
  readonly rows: Table["rows"];
  /** The cell for a missing key; undefined where every row has every key. */
  readonly absent: null | string | undefined;
  readonly objects: NonNullable<Table["objects"]>;
  /** Characters that the rows unfold into beside their cells. */
  readonly unfolded: number;
}

/** Throws where a value only looks like a table. */
export function need(isSo: boolean): asserts isSo {
  if (!isSo) throw new Error("no table");
}

/** What `read` gives; undefined where something that it needs is not so. */
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

/** Every position by itself, none twice and none outside. */
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

/** Throws for a damaged table. What is not checked here throws where it is used, and is caught by the same hand. */
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

/** What a table says; undefined for anything else, also for a damaged table. */
export function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  return table && ifReadable(() => read(table));
}

/** Whether a value stands for a list of objects, as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
