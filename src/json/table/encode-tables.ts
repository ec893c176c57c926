import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import { type Column, type Columns, collectColumns } from "./collect-columns.ts";
import { type Derived, Deriver } from "./derive-columns.ts";
import { MAX_DEPTH, MAX_UNFOLDED, TABLE, type Table, columnName, underMarker } from "./table-notation.ts";

/** Writes one cell; `level` is how far below its list it stands. */
type WriteCell = (cell: JsonValue, level: number) => JsonValue;

type Header = Omit<Table, "rows">;

interface Layout {
  readonly header: Header;
  readonly written: readonly Column[];
  /** Characters of the cells that the header stands for. */
  readonly hoistedLength: number;
}

// What `same`, `derived` and `positions` cost before anything is in them.
const HOISTING_LENGTH = 40;

function constantLength({ cells, present, path }: Column): number | undefined {
  const [first] = cells;
  if (first === undefined || present < cells.length || typeof columnName(path) !== "string") return undefined;
  // A list or an object in all rows alike is rare, and comparing them is not cheap.
  if (typeof first === "object" && first !== null) return undefined;
  if (!cells.every((cell) => cell === first)) return undefined;
  return typeof first === "string" ? first.length + 2 : String(first).length;
}

/** Worth it when the cells are longer than the value once, its position, and two commas. */
function splitConstants(columns: readonly Column[]) {
  const constants = new Map<Column, number>();
  for (const column of columns) {
    const length = constantLength(column) ?? 0;
    const total = length * column.present;
    if (total > length + 6) constants.set(column, total);
  }
  return constants;
}

function hoist(columns: readonly Column[]): Layout | undefined {
  const constants = splitConstants(columns);
  const varying = columns.filter((column) => !constants.has(column));
  const deriver = new Deriver(varying);
  const derived = varying.flatMap((column) => deriver.derive(column) ?? []);
  const gone = new Set([...constants.keys(), ...derived.map(({ column }) => column)]);
  if (gone.size === 0) return undefined;
  const hoistedLength = [...constants.values(), ...derived.map(({ length }) => length)].reduce(
    (sum, length) => sum + length,
    0,
  );
  if (hoistedLength < HOISTING_LENGTH) return undefined;
  const written = columns.filter((column) => !gone.has(column));
  return { header: headerOf(columns, [...constants.keys()], derived), written, hoistedLength };
}

function headerOf(
  columns: readonly Column[],
  constants: readonly Column[],
  derived: readonly Derived[],
): Header {
  const same: Record<string, JsonValue> = {};
  const templates: Record<string, string> = {};
  const places = new Map(columns.map(({ path }, index) => [columnName(path), index]));
  for (const { path, cells } of constants) setOwn(same, String(columnName(path)), cells[0] ?? null);
  for (const { name, template } of derived) setOwn(templates, name, template);
  // An engine lists integer-like keys first, so positions follow what it will list.
  const names = [...Object.keys(same), ...Object.keys(templates)];
  const gone = new Set<unknown>(names);
  return {
    ...(constants.length > 0 && { same }),
    ...(derived.length > 0 && { derived: templates }),
    positions: names.map((name) => places.get(name) ?? 0),
    columns: columns.map(({ path }) => columnName(path)).filter((name) => !gone.has(name)),
  };
}

/** Null where no cell is null, else as many dashes as no cell has. */
function absentMark(written: readonly Column[]): null | string {
  const dashes = new Set<string>();
  let hasNull = false;
  for (const { cells } of written) {
    for (const cell of cells) {
      if (cell === null) hasNull = true;
      else if (typeof cell === "string" && cell.startsWith("-")) dashes.add(cell);
    }
  }
  if (!hasNull) return null;
  let mark = "-";
  while (dashes.has(mark)) mark += "-";
  return mark;
}

function layOut({ columns }: Columns): Layout {
  const plain = { columns: columns.map(({ path }) => columnName(path)) };
  const layout = hoist(columns) ?? { header: plain, written: columns, hoistedLength: 0 };
  const { written, header } = layout;
  if (written.every(({ present, cells }) => present === cells.length)) return layout;
  const { columns: names, ...rest } = header;
  return { ...layout, header: { ...rest, absent: absentMark(written), columns: names } };
}

/** Both sides without the cells that they share; the plain side is never overrated. */
function isShorter({ header, written, hoistedLength }: Layout, plainLength: number, rows: number): boolean {
  const head = new TextEncoder().encode(JSON.stringify({ [TABLE]: { ...header, rows: [] } })).length;
  const absentCells = written.reduce((sum, { present }) => sum + rows - present, 0);
  const absentLength = typeof header.absent === "string" ? header.absent.length + 2 : 4;
  const separators = rows * (1 + Math.max(1, written.length));
  const tableLength = head + separators + absentCells * absentLength;
  return tableLength < plainLength + hoistedLength + 2 && head * rows < MAX_UNFOLDED;
}

/** The list as a table; undefined if it cannot be one, or would not be shorter. */
function writeTable(list: readonly JsonValue[], write: WriteCell): JsonValue | undefined {
  const collected = list.length < 2 ? undefined : collectColumns(list);
  if (collected === undefined) return undefined;
  const layout = layOut(collected);
  if (!isShorter(layout, collected.plainLength, list.length)) return undefined;
  const { header, written } = layout;
  const absent = header.absent ?? null;
  const rows = list.map((_, row) =>
    written.map(({ cells, path }) => {
      const cell = cells[row];
      return cell === undefined ? absent : write(cell, path.length + 1);
    }),
  );
  return { [TABLE]: { ...header, rows } };
}

function encodeList(list: readonly JsonValue[], depth: number): JsonValue {
  const table = isJsonObject(list[0])
    ? writeTable(list, (cell, level) => encode(cell, depth + level))
    : undefined;
  if (table !== undefined) return table;
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const encoded = encode(item, depth + 1);
    if (encoded === item) continue;
    copy ??= [...list];
    copy[index] = encoded;
  }
  return copy ?? list;
}

function encodeObject(object: JsonObject, depth: number): JsonObject {
  // What looks like a table already is kept whole, so that decoding stops there.
  if (underMarker(object) !== undefined) return { [TABLE]: { literal: object } };
  let copy: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const encoded = encode(value, depth + 1);
    if (encoded === value) continue;
    copy ??= { ...object };
    setOwn(copy, key, encoded);
  }
  return copy ?? object;
}

function encode(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  return Array.isArray(value) ? encodeList(value, depth) : encodeObject(value as JsonObject, depth);
}

/**
 * Writes every list of like objects as a table where that is shorter; without one it is the same value.
 * `decodeTables` gives a value with the same JSON text back.
 */
export function encodeTables(value: JsonValue): JsonValue {
  return encode(value, 1);
}
