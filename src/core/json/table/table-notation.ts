import { type JsonObject, type JsonValue, isJsonObject } from "../json-value.ts";

/** The only key of an object that replaces a list. */
export const TABLE = "$table";

/** How deep writer and reader look for lists in the value itself: anything deeper stays unchanged. */
export const MAX_TABLE_DEPTH = 1000;

/** Tables wider than this are neither written nor read. */
export const MAX_COLUMNS = 4096;
/** The most characters, besides cells, that a table may unfold into: more than a JavaScript text can hold. */
export const MAX_UNFOLDED = 2 ** 29;

/** A column's place in its row's object: `user.login`, or the list of keys if one of them contains a dot. */
export type ColumnName = string | readonly string[];

export type Position = number | readonly [first: number, last: number];

/** Objects that occur in many rows: a cell names one by its value under the key `by`. */
export interface ObjectGroup {
  readonly columns: readonly string[];
  readonly by: string;
  /** Each object once, in order of first occurrence; itself a table if that is shorter. */
  readonly list: JsonValue;
}

export interface Table {
  /** Columns with one value in all rows. */
  readonly same?: JsonObject;
  /** Columns that repeat another one inside a fixed text: `https://github.com/{user.login}`, or `…/labels/%{name}`. */
  readonly derived?: Readonly<Record<string, string>>;
  /** The positions of `same` and then of `derived` among all columns; `[3, 9]` is 3, 4 and so on to 9. */
  readonly positions?: readonly Position[];
  /** The cell that means: this row has no such key. */
  readonly absent?: null | string;
  /** Columns whose cells are names of objects, or lists of such names. */
  readonly objects?: readonly ObjectGroup[];
  readonly columns: readonly ColumnName[];
  readonly rows: readonly (readonly JsonValue[])[];
}

export function columnName(path: readonly string[]): ColumnName {
  return path.some((key) => key.includes(".")) ? path : path.join(".");
}

export function columnPath(name: ColumnName): readonly string[] {
  return typeof name === "string" ? name.split(".") : name;
}

/** The length of a value's JSON text; infinite if it is too deep to be written. */
export function textLength(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The content of a table or of an escaped object; undefined for every other object. */
export function underMarker(value: JsonObject): JsonObject | undefined {
  const inner = Object.hasOwn(value, TABLE) ? value[TABLE] : undefined;
  return isJsonObject(inner) && Object.keys(value).length === 1 ? inner : undefined;
}

/** A text with one column in it: the text before, the column's name, the text after. */
export type Template = readonly [before: string, source: string, after: string];

/** Undefined unless the text names exactly one of the columns, so that braces of its own mean nothing. */
export function readTemplate(text: string, columns: ReadonlySet<ColumnName>): Template | undefined {
  const named = [...text.matchAll(/\{([^{}]*)\}/g)].filter(([, name = ""]) => columns.has(name));
  const [only, ...more] = named;
  if (only === undefined || more.length > 0) return undefined;
  const [{ length }, source = ""] = only;
  return [text.slice(0, only.index), source, text.slice(only.index + length)];
}

/** The text of a cell from which other cells can be derived. */
export function cellText(cell: JsonValue | undefined): string | undefined {
  if (typeof cell === "number") return String(cell);
  return typeof cell === "string" ? cell : undefined;
}

/**
 * A cell derived from its source: null or missing if the source is, else a text around the source's text. A percent
 * sign before the source means that its text is percent-encoded; that throws for half a surrogate pair.
 */
export function deriveCell(
  source: JsonValue | undefined,
  before: string,
  after: string,
): JsonValue | undefined {
  const text = cellText(source);
  if (text === undefined) return source;
  return before.endsWith("%")
    ? before.slice(0, -1) + encodeURIComponent(text) + after
    : before + text + after;
}
