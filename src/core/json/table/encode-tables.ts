import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import {
  chooseColumns,
  type Column,
  type Columns,
  type ColumnGroup,
  type TableForm,
  isSameText,
} from "./choose-columns.ts";
import { collectPlaces } from "./collect-places.ts";
import {
  MAX_TABLE_DEPTH,
  TABLE,
  underMarker,
  MAX_UNFOLDED,
  type ObjectGroup,
  type Position,
  type Table,
  columnName,
  textLength,
  type ColumnName,
  deriveCell,
  readTemplate,
  cellText,
} from "./table-notation.ts";

/** The list as a table; undefined if it cannot be one, or if it had to be shorter and is not. */
function writeTable(
  list: readonly JsonValue[],
  form: TableForm,
  write: WriteCell,
  mustBeShorter: boolean,
): JsonObject | undefined {
  const places = collectPlaces(list);
  const columns = places && chooseColumns(places, list.length, form);
  if (columns === undefined) return undefined;
  const layout = layOut(columns, form, write);
  if (mustBeShorter && !isShorter(layout, columns, list.length)) return undefined;
  const { header, written } = layout;
  const absent = header.absent ?? null;
  const rows = list.map((_, row) =>
    written.map(({ cells, path }) => {
      const cell = cells[row];
      return cell === undefined ? absent : write(cell, path.length + 1);
    }),
  );
  return { [TABLE]: { ...header, rows } } as unknown as JsonObject;
}

function encodeList(list: readonly JsonValue[], form: TableForm, depth: number): JsonValue {
  const mayBeTable = list.length > 1 && isJsonObject(list[0]);
  const write: WriteCell = (cell, level) => encode(cell, form, depth + level);
  const table = mayBeTable ? writeTable(list, form, write, true) : undefined;
  if (table !== undefined) return table;
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const encoded = encode(item, form, depth + 1);
    if (encoded === item) continue;
    copy ??= [...list];
    copy[index] = encoded;
  }
  return copy ?? list;
}

function encodeObject(object: JsonObject, form: TableForm, depth: number): JsonObject {
  // An object that already looks like a table is kept whole, so that decoding stops there.
  if (underMarker(object) !== undefined) return { [TABLE]: { literal: object } };
  let copy: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const encoded = encode(value, form, depth + 1);
    if (encoded === value) continue;
    copy ??= { ...object };
    setOwn(copy, key, encoded);
  }
  return copy ?? object;
}

function encode(value: JsonValue, form: TableForm, depth: number): JsonValue {
  if (typeof value !== "object" || value === null || depth > MAX_TABLE_DEPTH) return value;
  return Array.isArray(value)
    ? encodeList(value, form, depth)
    : encodeObject(value as JsonObject, form, depth);
}

/**
 * Writes every list of like objects as a table if that is shorter; the same value if no list is. `decodeTables` returns
 * a value with the same JSON text.
 */
export function encodeTables(value: JsonValue, form: TableForm = "plain"): JsonValue {
  return encode(value, form, 1);
}

/** A list as a table even if that is not shorter, for rows that came from a table; undefined if it cannot be one. */
export function writeRows(list: readonly JsonValue[], form: TableForm): JsonObject | undefined {
  return writeTable(list, form, (cell, level) => encode(cell, form, 1 + level), false);
}

/** Writes one value; `level` is its depth below its list. */
type WriteCell = (cell: JsonValue, level: number) => JsonValue;

type Header = Omit<Table, "rows">;

interface Layout {
  readonly header: Header;
  readonly written: readonly Column[];
  /** The characters of the cells that the header replaces. */
  readonly hoistedLength: number;
}

// The cost of `same`, `derived` and `positions` while they are empty.
const HOISTING_LENGTH = 40;

function constantLength({ cells, present, path }: Column): number | undefined {
  const [first] = cells;
  if (first === undefined || present < cells.length || typeof columnName(path) !== "string") return undefined;
  if (!cells.every((cell) => isSameText(cell, first))) return undefined;
  const length = typeof first === "string" ? first.length + 2 : textLength(first);
  return Number.isFinite(length) ? length : undefined;
}

/** Worth it if the cells are longer than one copy of the value, its position, and two commas. */
function splitConstants(columns: readonly Column[]) {
  const constants = new Map<Column, number>();
  for (const column of columns) {
    const length = constantLength(column) ?? 0;
    const total = length * column.present;
    if (total > length + 6) constants.set(column, total);
  }
  return constants;
}

function hoist(columns: readonly Column[], write: WriteCell): Layout | undefined {
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
  return { header: headerOf(columns, [...constants.keys()], derived, write), written, hoistedLength };
}

/** Three or more consecutive positions are written as the first and the last. */
function toRuns(positions: readonly number[]): Position[] {
  const runs: Position[] = [];
  for (let from = 0; from < positions.length;) {
    const first = positions[from] ?? 0;
    let to = from + 1;
    while (positions[to] === first + to - from) to += 1;
    if (to - from > 2) runs.push([first, first + to - from - 1]);
    else runs.push(...positions.slice(from, to));
    from = to;
  }
  return runs;
}

function headerOf(
  columns: readonly Column[],
  constants: readonly Column[],
  derived: readonly Derived[],
  write: WriteCell,
): Header {
  const same: Record<string, JsonValue> = {};
  const templates: Record<string, string> = {};
  const places = new Map(columns.map(({ path }, index) => [columnName(path), index]));
  for (const { path, cells } of constants)
    setOwn(same, String(columnName(path)), write(cells[0] ?? null, path.length + 1));
  for (const { name, template } of derived) setOwn(templates, name, template);
  // An engine lists integer-like keys first, so positions follow the order in which it will list them.
  const names = [...Object.keys(same), ...Object.keys(templates)];
  const gone = new Set<unknown>(names);
  return {
    ...(constants.length > 0 && { same }),
    ...(derived.length > 0 && { derived: templates }),
    positions: toRuns(names.map((name) => places.get(name) ?? 0)),
    columns: columns.map(({ path }) => columnName(path)).filter((name) => !gone.has(name)),
  };
}

/** Null if no cell is null, else a number of dashes that no cell has. */
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

function writeGroup({ places, by, members }: ColumnGroup, write: WriteCell): ObjectGroup {
  const list = Array.from(members.values(), ({ object }) => object);
  return { columns: places.map(({ path }) => path.join(".")), by, list: write(list, 1) };
}

/** What the header says of the columns, and which columns still need cells. */
function layOut({ columns, groups }: Columns, form: TableForm, write: WriteCell): Layout {
  const plain = { columns: columns.map(({ path }) => columnName(path)) };
  const hoisted = form === "dense" ? hoist(columns, write) : undefined;
  const layout = hoisted ?? { header: plain, written: columns, hoistedLength: 0 };
  const { written, header } = layout;
  const isFull = written.every(({ present, cells }) => present === cells.length);
  if (isFull && groups.length === 0) return layout;
  const { columns: names, ...rest } = header;
  return {
    ...layout,
    header: {
      ...rest,
      ...(!isFull && { absent: absentMark(written) }),
      ...(groups.length > 0 && { objects: groups.map((group) => writeGroup(group, write)) }),
      columns: names,
    },
  };
}

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** The length of all names in the cells of a group's columns. */
function namesLength({ members }: ColumnGroup): number {
  return Array.from(members, ([name, { count }]) => byteLength(name) * count).reduce((a, b) => a + b, 0);
}

/** Compares both forms without the cells that they share; the length of the plain form is never overestimated. */
function isShorter(layout: Layout, { groups, plainLength }: Columns, rows: number): boolean {
  const { header, written, hoistedLength } = layout;
  const { objects = [], ...rest } = header;
  const head = byteLength({ [TABLE]: { ...rest, rows: [] } });
  const list = objects.length === 0 ? 0 : byteLength(objects) + '"objects":,'.length;
  const names = groups.reduce((sum, group) => sum + namesLength(group), 0);
  const grouped = groups.reduce((sum, group) => sum + group.plainLength, 0);
  const absentCells = written.reduce((sum, { present }) => sum + rows - present, 0);
  const absentLength = typeof header.absent === "string" ? header.absent.length + 2 : 4;
  const separators = rows * (1 + Math.max(1, written.length));
  const tableLength = head + list + names + separators + absentCells * absentLength;
  const isReadable = head * rows + grouped < MAX_UNFOLDED;
  return isReadable && tableLength < plainLength + grouped + hoistedLength + 2;
}

/** A column with a longer text than this is not used as the source of another column. */
const MAX_SOURCE_LENGTH = 200;
/** A longer text is prose, and is not searched for the text of a source. */
const MAX_DERIVED_LENGTH = 1000;
/** A row's texts are indexed once, for at most this many rows. */
const MAX_INDEXES = 4;
/** If many columns have the same text in a row, only this many are tried as the source of another column. */
const MAX_TRIES = 32;

interface Derived {
  readonly column: Column;
  readonly name: string;
  readonly template: string;
  /** Characters of the cells that need not be written. */
  readonly length: number;
}

/** The whole text, then the parts between the separators of a link, each with its start. */
function* partsOf(text: string): Generator<readonly [from: number, part: string]> {
  yield [0, text];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !"/?=&#:".includes(text.charAt(at))) continue;
    if (at > from) yield [from, text.slice(from, at)];
    from = at + 1;
  }
}

function isSource({ cells }: Column): boolean {
  return cells.every((cell) => {
    if (cell === undefined || cell === null || typeof cell === "number") return true;
    return typeof cell === "string" && cell.length <= MAX_SOURCE_LENGTH;
  });
}

/** The characters of the column's cells if every cell follows from the source; else undefined. */
function follows(column: Column, source: Column, before: string, after: string): number | undefined {
  let length = 0;
  for (let row = 0; row < column.cells.length; row++) {
    const cell = column.cells[row];
    if (cell !== deriveCell(source.cells[row], before, after)) return undefined;
    if (typeof cell === "string") length += cell.length + 2;
  }
  return length;
}

/** A text with half a surrogate pair cannot be percent-encoded, so nothing follows from it. */
function followsSafely(column: Column, source: Column, before: string, after: string): number | undefined {
  try {
    return follows(column, source, before, after);
  } catch {
    return undefined;
  }
}

/** A part of a link, percent-decoded; unchanged if it cannot be decoded. */
function fromLink(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}

/** Finds columns whose text is another column's text inside a fixed text, as in the links of an API. */
class Deriver {
  readonly #sources: readonly Column[];
  readonly #names: ReadonlySet<ColumnName>;
  readonly #indexes = new Map<number, Map<string, Column[]>>();
  readonly #used = new Set<Column>();
  readonly #gone = new Set<Column>();

  constructor(columns: readonly Column[]) {
    this.#sources = columns.filter(isSource);
    this.#names = new Set(columns.map(({ path }) => columnName(path)));
  }

  /** How the column follows from another column that stays in the table. */
  derive(column: Column): Derived | undefined {
    const name = columnName(column.path);
    const first = column.cells.findIndex((cell) => typeof cell === "string");
    const text = column.cells[first];
    if (typeof name !== "string" || typeof text !== "string" || this.#used.has(column)) return undefined;
    if (text.length > MAX_DERIVED_LENGTH) return undefined;
    const index = this.#indexOf(first);
    let tries = 0;
    for (const [from, part] of partsOf(text)) {
      for (const source of index?.get(fromLink(part)) ?? []) {
        if (++tries > MAX_TRIES) return undefined;
        const [before, after] = [text.slice(0, from), text.slice(from + part.length)];
        const found =
          this.#try(column, source, before, after) ??
          (from > 0 ? this.#try(column, source, `${before}%`, after) : undefined);
        if (found !== undefined) return { column, name, ...found };
      }
    }
    return undefined;
  }

  #try(column: Column, source: Column, before: string, after: string) {
    if (source === column || this.#gone.has(source)) return undefined;
    const sourceName = columnName(source.path);
    const template = `${before}{${String(sourceName)}}${after}`;
    const length = followsSafely(column, source, before, after);
    if (length === undefined || length <= template.length) return undefined;
    const read = readTemplate(template, this.#names);
    if (read === undefined || read[0] !== before || read[1] !== sourceName) return undefined;
    this.#used.add(source);
    this.#gone.add(column);
    return { template, length };
  }

  /** The sources by their text in one row. */
  #indexOf(row: number): ReadonlyMap<string, readonly Column[]> | undefined {
    const known = this.#indexes.get(row);
    if (known !== undefined || this.#indexes.size >= MAX_INDEXES) return known;
    const index = new Map<string, Column[]>();
    for (const source of this.#sources) {
      const text = cellText(source.cells[row]);
      const alike = text === undefined ? [] : (index.get(text) ?? []);
      if (text !== undefined && alike.push(source) === 1) index.set(text, alike);
    }
    this.#indexes.set(row, index);
    return index;
  }
}
