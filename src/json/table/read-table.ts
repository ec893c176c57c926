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

/** Thrown within this folder where what looked like a table is none. */
class Unreadable extends Error {}

export function need(isSo: boolean): asserts isSo {
  if (!isSo) throw new Unreadable();
}

/** What `read` gives; undefined where something that it needs is not so. */
export function ifReadable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isListOf(value: unknown, isItem: (item: JsonValue) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function checkShape(table: JsonObject): asserts table is JsonObject & Table {
  const {
    same = {},
    derived = {},
    positions = [],
    absent = "",
    objects = [],
    columns,
    rows,
    ...more
  } = table;
  const width = Array.isArray(columns) ? columns.length : 0;
  need(
    Object.keys(more).length === 0 &&
      isJsonObject(same) &&
      isJsonObject(derived) &&
      Object.values(derived).every(isText) &&
      Array.isArray(positions) &&
      (absent === null || isText(absent)) &&
      isListOf(objects, isJsonObject) &&
      isListOf(
        columns,
        (name) => isText(name) || (isListOf(name, isText) && (name as readonly unknown[]).length > 0),
      ) &&
      isListOf(rows, (row) => Array.isArray(row) && row.length === width),
  );
}

/** The columns of `same` and `derived`, in the order in which `positions` speaks of them. */
function hoistedColumns({ same = {}, derived = {}, columns }: Table): readonly ReadColumn[] {
  const names = new Set(columns);
  const constants = Object.entries(same).map(([name, value]): ReadColumn => ({ name, same: value }));
  const made = Object.entries(derived).map(([name, text]): ReadColumn => {
    const template = readTemplate(text, names);
    need(template !== undefined);
    const [before, source, after] = template;
    return { name, index: columns.indexOf(source), around: [before, after] };
  });
  return [...constants, ...made];
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

/** All columns in their order. */
function orderColumns(table: Table): readonly ReadColumn[] {
  const hoisted = hoistedColumns(table);
  const { positions = [], columns } = table;
  const total = hoisted.length + columns.length;
  need(total <= MAX_COLUMNS);
  const places = listPositions(positions, total);
  need(places.length === hoisted.length);
  const placed = new Map(places.map((place, at) => [place, hoisted[at]]));
  let index = 0;
  return Array.from({ length: total }, (_, place) => {
    return placed.get(place) ?? { name: columns[index] ?? "", index: index++ };
  });
}

/** What a table says; undefined for anything else, also for a damaged table. */
export function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  if (table === undefined) return undefined;
  return ifReadable(() => {
    checkShape(table);
    const { rows, objects = [], ...header } = table;
    const unfolded = textLength(header) * rows.length;
    need(unfolded < MAX_UNFOLDED);
    return { columns: orderColumns(table), rows, absent: table.absent, objects, unfolded };
  });
}

/** Whether a value stands for a list of objects, as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
