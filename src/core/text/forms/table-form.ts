// Tables: values between commas, semicolons or tabs, with the names of the columns in the first line; and Markdown tables.
// A row has its header as its parent, so rows that are kept can be read.

import { FIRST, ORDINARY, STRUCTURE, type TextForm, lineEnd } from "./text-form.ts";

/** How many lines decide whether the rest is read. */
const SAMPLED_LINES = 64;

export function readTable(text: string, lineStarts: Int32Array): TextForm | undefined {
  return readValues(text, lineStarts) ?? readMarkdown(text, lineStarts);
}

const TAB = 0x09;
const QUOTE = 0x22;
const SEPARATORS = [TAB, 0x2c, 0x3b] as const;
const COLUMN = /^[\p{L}_#@$%](?:[\p{L}\p{M}\p{N}_ .#@$%()/:+&'*?-]{0,79})$/u;
/** A sentence with a comma has two parts as well. */
const FEW_COLUMNS = 3;
/** The least share of rows that have a value for each column. */
const SURE_SHARE = 0.95;

function readValues(text: string, lineStarts: Int32Array): TextForm | undefined {
  const header = text.slice(0, lineEnd(text, lineStarts, 0));
  const separator = SEPARATORS.find((unit) => isHeader(header, unit));
  if (separator === undefined) return undefined;
  const columns = header.split(String.fromCharCode(separator)).length;
  const mayBeProse = columns < FEW_COLUMNS && separator !== TAB;
  if (mayBeProse && /, /.test(text.slice(0, lineStarts[SAMPLED_LINES] ?? text.length))) return undefined;
  const parents = new Int32Array(lineStarts.length);
  const sample = rowsIn(text, lineStarts.subarray(0, SAMPLED_LINES + 1), { separator, columns, parents });
  if (!isSure(sample)) return undefined;
  const all = rowsIn(text, lineStarts, { separator, columns, parents });
  if (!isSure(all)) return undefined;
  parents[0] = -1;
  const ranks = new Uint8Array(lineStarts.length).fill(ORDINARY);
  ranks[0] = FIRST;
  return { kind: "table", parents, ranks, noun: "rows" };
}

function isHeader(header: string, separator: number): boolean {
  const names = header.trimEnd().split(String.fromCharCode(separator)).map(unquoted);
  return names.length > 1 && names.every((name) => COLUMN.test(name)) && new Set(names).size === names.length;
}

function unquoted(name: string): string {
  const bare = name.trim();
  return bare.length > 1 && bare.startsWith('"') && bare.endsWith('"') ? bare.slice(1, -1) : bare;
}

interface Rows {
  readonly rows: number;
  /** How many rows have a value for each column. */
  readonly whole: number;
}

function isSure({ rows, whole }: Rows): boolean {
  return rows > 1 && whole >= rows * SURE_SHARE;
}

interface ValueTable {
  readonly separator: number;
  readonly columns: number;
  /** Set here. For a row: the header. For further lines of a row, whose value has line ends: the row. */
  readonly parents: Int32Array;
}

function rowsIn(text: string, lineStarts: Int32Array, { separator, columns, parents }: ValueTable): Rows {
  let [rows, whole, row, values] = [0, 0, 0, 1];
  let isQuoted = false;
  for (let line = 1; line < lineStarts.length; line++) {
    const start = lineStarts[line] ?? 0;
    const end = lineEnd(text, lineStarts, line);
    if (isQuoted) parents[line] = row;
    else [row, values] = [line, 1];
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) isQuoted = !isQuoted;
      else if (unit === separator && !isQuoted) values++;
    }
    if (isQuoted || end - start < 2) continue;
    rows++;
    if (values === columns) whole++;
  }
  // A quote that is never closed would make one row of all that follows.
  return isQuoted && row < lineStarts.length - MAX_OPEN_LINES ? { rows: 1, whole: 0 } : { rows, whole };
}

/** A row may be cut off within a value of some lines. */
const MAX_OPEN_LINES = 64;

const RULE = /^[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){1,200}\|?[ \t]*\r?\n?$/;
const HEADING = /^#{1,6} /;
const LONGEST_RULE = 2_000;
/** The least share of lines in tables: a page that has a table beside its text is a text. */
const TABLE_SHARE = 0.6;

function readMarkdown(text: string, lineStarts: Int32Array): TextForm | undefined {
  const parents = new Int32Array(lineStarts.length).fill(-1);
  const ranks = new Uint8Array(lineStarts.length).fill(ORDINARY);
  let [inTables, rule] = [0, -1];
  for (let line = 0; line < lineStarts.length; line++) {
    const start = lineStarts[line] ?? 0;
    const end = lineEnd(text, lineStarts, line);
    const isRow = isMarkdownRow(text, start, end);
    if (!isRow) rule = -1;
    if (isRow && rule < 0 && line > 0 && isRule(text, start, end) && isRowAt(text, lineStarts, line - 1)) {
      rule = line;
      ranks[line - 1] = FIRST;
      ranks[line] = FIRST;
      parents[line] = line - 1;
    } else if (isRow && rule >= 0) parents[line] = rule;
    else if (HEADING.test(text.slice(start, start + 8))) ranks[line] = STRUCTURE;
    if (isRow) inTables++;
    if (line === SAMPLED_LINES && inTables < SAMPLED_LINES / 4) return undefined;
  }
  const isTable = ranks.includes(FIRST) && inTables >= lineStarts.length * TABLE_SHARE;
  return isTable ? { kind: "table", parents, ranks, noun: "rows" } : undefined;
}

function isRowAt(text: string, lineStarts: Int32Array, line: number): boolean {
  return isMarkdownRow(text, lineStarts[line] ?? 0, lineEnd(text, lineStarts, line));
}

function isMarkdownRow(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text[at] === " " && at - start < 4) at++;
  return text[at] === "|";
}

function isRule(text: string, start: number, end: number): boolean {
  return end - start <= LONGEST_RULE && RULE.test(text.slice(start, end));
}
