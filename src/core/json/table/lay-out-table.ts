import { type JsonValue, setOwn } from "../json-value.ts";
import type { Column, Columns } from "./choose-columns.ts";
import { type Derived, Deriver } from "./derive-columns.ts";
import type { Group } from "./group-objects.ts";
import { isSameText } from "./is-same-text.ts";
import {
  MAX_UNFOLDED,
  type ObjectGroup,
  type Position,
  TABLE,
  type Table,
  columnName,
  textLength,
} from "./table-notation.ts";

/** Writes one value; `level` is how far below its list it stands. */
export type WriteCell = (cell: JsonValue, level: number) => JsonValue;

type Header = Omit<Table, "rows">;

export interface Layout {
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
  if (!cells.every((cell) => isSameText(cell, first))) return undefined;
  const length = typeof first === "string" ? first.length + 2 : textLength(first);
  return Number.isFinite(length) ? length : undefined;
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

/** Three or more positions that follow each other are written as the first and the last. */
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
  // An engine lists integer-like keys first, so positions follow what it will list.
  const names = [...Object.keys(same), ...Object.keys(templates)];
  const gone = new Set<unknown>(names);
  return {
    ...(constants.length > 0 && { same }),
    ...(derived.length > 0 && { derived: templates }),
    positions: toRuns(names.map((name) => places.get(name) ?? 0)),
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

function writeGroup({ places, by, members }: Group, write: WriteCell): ObjectGroup {
  const list = Array.from(members.values(), ({ object }) => object);
  return { columns: places.map(({ path }) => path.join(".")), by, list: write(list, 1) };
}

/** What the header says of the columns, and which of them still need cells. */
export function layOut({ columns, groups }: Columns, write: WriteCell): Layout {
  const plain = { columns: columns.map(({ path }) => columnName(path)) };
  const layout = hoist(columns, write) ?? { header: plain, written: columns, hoistedLength: 0 };
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

/** What the names in the cells of a group's columns are long. */
function namesLength({ members }: Group): number {
  return Array.from(members, ([name, { count }]) => byteLength(name) * count).reduce((a, b) => a + b, 0);
}

/** Both sides without the cells that they share; the plain side is never overrated. */
export function isShorter(layout: Layout, { groups, plainLength }: Columns, rows: number): boolean {
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
