import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";
import {
  type ColumnName,
  MAX_COLUMNS,
  MAX_UNFOLDED,
  type ObjectGroup,
  type Table,
  type Template,
  readTemplate,
  textLength,
  underMarker,
} from "./table-notation.ts";

/** Where the cells of a column come from: its index in the row, one value for all, or another column's text. */
export type CellSource =
  | { readonly kind: "cell"; readonly index: number }
  | { readonly kind: "same"; readonly value: JsonValue }
  | { readonly kind: "derived"; readonly index: number; readonly before: string; readonly after: string };

interface ReadColumn {
  readonly name: ColumnName;
  readonly source: CellSource;
}

export interface ReadTable {
  readonly columns: readonly ReadColumn[];
  readonly rows: Table["rows"];
  readonly objects: readonly ObjectGroup[];
  /** Characters that the rows unfold into beside their cells. */
  readonly unfolded: number;
  /** The cell for a missing key; undefined where every row has every key. */
  readonly absent: null | string | undefined;
}

const keys: readonly string[] = ["same", "derived", "positions", "absent", "objects", "columns", "rows"];

function isColumnName(name: unknown): name is ColumnName {
  if (typeof name === "string") return true;
  return Array.isArray(name) && name.length > 0 && name.every((key) => typeof key === "string");
}

function isGroup(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { columns, by, list, ...more } = value;
  const isNamed = Array.isArray(columns) && columns.every((name) => typeof name === "string");
  return isNamed && typeof by === "string" && list !== undefined && Object.keys(more).length === 0;
}

function hasTableShape(table: JsonObject): table is JsonObject & Table {
  const { same = {}, derived = {}, positions = [], absent = null, objects = [], columns, rows } = table;
  return (
    Object.keys(table).every((key) => keys.includes(key)) &&
    Array.isArray(columns) &&
    columns.every(isColumnName) &&
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row) && row.length === columns.length) &&
    isJsonObject(same) &&
    isJsonObject(derived) &&
    Object.values(derived).every((text) => typeof text === "string") &&
    Array.isArray(positions) &&
    Array.isArray(objects) &&
    objects.every(isGroup) &&
    (absent === null || typeof absent === "string")
  );
}

function derivedSource(text: string, columns: readonly ColumnName[]): CellSource | undefined {
  const template: Template | undefined = readTemplate(text, new Set(columns));
  if (template === undefined) return undefined;
  const [before, source, after] = template;
  return { kind: "derived", index: columns.indexOf(source), before, after };
}

/** The columns of `same` and `derived`, in the order in which `positions` speaks of them. */
function hoistedColumns({ same = {}, derived = {}, columns }: Table): (ReadColumn | undefined)[] {
  const constants = Object.entries(same).map(([name, value]): ReadColumn => {
    return { name, source: { kind: "same", value } };
  });
  const made = Object.entries(derived).map(([name, text]): ReadColumn | undefined => {
    const source = derivedSource(text, columns);
    return source && { name, source };
  });
  return [...constants, ...made];
}

/** Every position by itself; undefined where one is none, or lies outside. */
function listPositions(positions: readonly unknown[], total: number): ReadonlySet<number> | undefined {
  const listed = new Set<number>();
  for (const position of positions) {
    const [first, last, ...more]: readonly unknown[] = Array.isArray(position)
      ? position
      : [position, position];
    if (!Number.isInteger(first) || !Number.isInteger(last) || more.length > 0) return undefined;
    if (Number(first) < 0 || Number(last) >= total || Number(last) < Number(first)) return undefined;
    for (let at = Number(first); at <= Number(last); at++) {
      if (listed.has(at)) return undefined;
      listed.add(at);
    }
  }
  return listed;
}

/** All columns in their order; undefined unless the positions say exactly one. */
function orderColumns(table: Table): readonly ReadColumn[] | undefined {
  const hoisted = hoistedColumns(table);
  const { positions = [], columns } = table;
  const total = hoisted.length + columns.length;
  const listed = total > MAX_COLUMNS ? undefined : listPositions(positions, total);
  if (listed?.size !== hoisted.length) return undefined;
  const placed = new Map(Array.from(listed, (position, index) => [position, hoisted[index]]));
  let index = 0;
  const ordered = Array.from({ length: total }, (_, position): ReadColumn | undefined => {
    if (placed.has(position)) return placed.get(position);
    const name = columns[index] ?? "";
    return { name, source: { kind: "cell", index: index++ } };
  });
  const whole = ordered.filter((column) => column !== undefined);
  return whole.length === total ? whole : undefined;
}

/** What a table says; undefined for anything else, also for a damaged table. */
export function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  if (table === undefined || !hasTableShape(table)) return undefined;
  const { rows, objects = [], ...header } = table;
  const unfolded = textLength(header) * rows.length;
  if (unfolded >= MAX_UNFOLDED) return undefined;
  const columns = orderColumns(table);
  return columns && { columns, rows, absent: table.absent, objects, unfolded };
}

/** Whether a value stands for a list of objects, as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
