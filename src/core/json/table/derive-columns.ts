import type { Column } from "./choose-columns.ts";
import { type ColumnName, columnName, deriveCell, readTemplate, textOf } from "./table-notation.ts";

/** A text longer than this names nothing that another column would be made of. */
const MAX_SOURCE_LENGTH = 200;
/** Nor is prose looked through for names. */
const MAX_DERIVED_LENGTH = 1000;
/** A row's texts are indexed once; more first rows than this are not looked at. */
const MAX_INDEXES = 4;
/** Where many columns begin with the same text, only so many of them are tried as the source of another. */
const MAX_TRIES = 32;

export interface Derived {
  readonly column: Column;
  readonly name: string;
  readonly template: string;
  /** Characters of the cells that need not be written. */
  readonly length: number;
}

/** The text whole, then what stands between the marks of a link, with where it starts. */
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

/** Whether the whole column follows; gives the characters of its cells. */
function follows(column: Column, source: Column, before: string, after: string): number | undefined {
  let length = 0;
  for (let row = 0; row < column.cells.length; row++) {
    const cell = column.cells[row];
    if (cell !== deriveCell(source.cells[row], before, after)) return undefined;
    if (typeof cell === "string") length += cell.length + 2;
  }
  return length;
}

/** A text with half a character in it cannot be written as in a link, so nothing follows from it. */
function followsSafely(column: Column, source: Column, before: string, after: string): number | undefined {
  try {
    return follows(column, source, before, after);
  } catch {
    return undefined;
  }
}

/** What a part of a link stands for; itself where it is no such part. */
function fromLink(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}

/** Finds columns whose text is another column's text within a fixed one, as the links of an API are. */
export class Deriver {
  readonly #sources: readonly Column[];
  readonly #names: ReadonlySet<ColumnName>;
  readonly #indexes = new Map<number, Map<string, Column[]>>();
  readonly #used = new Set<Column>();
  readonly #gone = new Set<Column>();

  constructor(columns: readonly Column[]) {
    this.#sources = columns.filter(isSource);
    this.#names = new Set(columns.map(({ path }) => columnName(path)));
  }

  /** How the column follows from another one that stays. */
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
      const text = textOf(source.cells[row]);
      const alike = text === undefined ? [] : (index.get(text) ?? []);
      if (text !== undefined && alike.push(source) === 1) index.set(text, alike);
    }
    this.#indexes.set(row, index);
    return index;
  }
}
