import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";
import {
  type ColumnName,
  MAX_COLUMNS,
  MAX_UNFOLDED,
  type Table,
  type Template,
  columnPath,
  readTemplate,
  underMarker,
} from "./table-notation.ts";

/** Where the cells of a column come from: its index in the row, one value for all, or another column's text. */
export type CellSource =
  | { readonly kind: "cell"; readonly index: number }
  | { readonly kind: "same"; readonly value: JsonValue }
  | { readonly kind: "derived"; readonly index: number; readonly before: string; readonly after: string };

interface ReadColumn {
  readonly path: readonly string[];
  readonly source: CellSource;
}

export interface ReadTable {
  readonly columns: readonly ReadColumn[];
  readonly rows: Table["rows"];
  /** The cell for a missing key; undefined where every row has every key. */
  readonly absent: null | string | undefined;
}

const keys: readonly string[] = ["same", "derived", "positions", "absent", "columns", "rows"];

function isColumnName(name: unknown): name is ColumnName {
  if (typeof name === "string") return true;
  return Array.isArray(name) && name.length > 0 && name.every((key) => typeof key === "string");
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function hasTableShape(table: JsonObject): table is JsonObject & Table {
  const { same = {}, derived = {}, positions = [], absent = null, columns, rows } = table;
  return (
    Object.keys(table).every((key) => keys.includes(key)) &&
    Array.isArray(columns) &&
    columns.every(isColumnName) &&
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row) && row.length === columns.length) &&
    isJsonObject(same) &&
    Object.values(same).every(isScalar) &&
    isJsonObject(derived) &&
    Object.values(derived).every((text) => typeof text === "string") &&
    Array.isArray(positions) &&
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
    return { path: columnPath(name), source: { kind: "same", value } };
  });
  const made = Object.entries(derived).map(([name, text]): ReadColumn | undefined => {
    const source = derivedSource(text, columns);
    return source && { path: columnPath(name), source };
  });
  return [...constants, ...made];
}

/** All columns in their order; undefined unless the positions say exactly one. */
function orderColumns(table: Table): readonly ReadColumn[] | undefined {
  const hoisted = hoistedColumns(table);
  const { positions = [], columns } = table;
  const total = hoisted.length + columns.length;
  if (positions.length !== hoisted.length || total > MAX_COLUMNS) return undefined;
  const placed = new Map(positions.map((position, index) => [position, hoisted[index]]));
  const isPlace = (position: unknown): boolean =>
    Number.isInteger(position) && Number(position) >= 0 && Number(position) < total;
  if (placed.size !== positions.length || !positions.every(isPlace)) return undefined;
  let index = 0;
  const ordered = Array.from({ length: total }, (_, position): ReadColumn | undefined => {
    if (placed.has(position)) return placed.get(position);
    const name = columns[index] ?? "";
    return { path: columnPath(name), source: { kind: "cell", index: index++ } };
  });
  const whole = ordered.filter((column) => column !== undefined);
  return whole.length === total ? whole : undefined;
}

/** What a table says; undefined for anything else, also for a damaged table. */
export function readTable(value: JsonValue): ReadTable | undefined {
  const table = isJsonObject(value) ? underMarker(value) : undefined;
  if (table === undefined || !hasTableShape(table)) return undefined;
  const { rows, ...header } = table;
  if (JSON.stringify(header).length * rows.length >= MAX_UNFOLDED) return undefined;
  const columns = orderColumns(table);
  return columns && { columns, rows, absent: table.absent };
}

/** Whether a value stands for a list of objects, as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
