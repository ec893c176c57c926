import type { JsonValue } from "../json-value.ts";
import { type Place, isFilledObject } from "./collect-places.ts";
import { type Group, findGroups } from "./group-objects.ts";
import { isSameText } from "./is-same-text.ts";
import { MAX_COLUMNS, columnName } from "./table-notation.ts";

/** The length of an absent cell with its comma. */
const ABSENT_LENGTH = 5;
/** The most empty cells per filled cell; a table with more is not written. */
const MAX_EMPTY_FACTOR = 8;

export interface Column {
  readonly path: readonly string[];
  /** One cell for each row; undefined if the row has no such key. */
  readonly cells: readonly (JsonValue | undefined)[];
  readonly present: number;
}

export interface Columns {
  readonly columns: readonly Column[];
  readonly groups: readonly Group[];
  /** The characters of everything but values and row separators, if the rows are written as objects. */
  readonly plainLength: number;
}

function pad(cells: readonly (JsonValue | undefined)[], rows: number): readonly (JsonValue | undefined)[] {
  return cells.length === rows ? cells : [...cells, ...Array<undefined>(rows - cells.length).fill(undefined)];
}

/** The cells of a column whose objects have names: the name, or the list of names. */
function namesIn({ cells }: Place, by: string): readonly (JsonValue | undefined)[] {
  const nameOf = (object: JsonValue): JsonValue => (isFilledObject(object) ? (object[by] ?? null) : object);
  return cells.map((cell) => {
    if (cell === undefined) return cell;
    return Array.isArray(cell) ? (cell as readonly JsonValue[]).map(nameOf) : nameOf(cell);
  });
}

/** Decides for each place whether its objects are split into columns, and returns the columns. */
class Chooser {
  readonly #rows: number;
  readonly #named = new Map<Place, string>();
  /** The places above those with names: always split. */
  readonly #above = new Set<Place>();
  readonly columns: Column[] = [];
  plainLength: number;

  constructor(root: Place, rows: number, groups: readonly Group[]) {
    this.#rows = rows;
    this.plainLength = root.plainLength;
    for (const { places, by } of groups) {
      for (const place of places) {
        this.#named.set(place, by);
        this.#climb(root, place);
      }
    }
  }

  #climb(root: Place, { path }: Place): void {
    let place = root;
    for (const key of path.slice(0, -1)) {
      place = place.known.get(key) ?? place;
      this.#above.add(place);
    }
  }

  /** How much more the columns of a place cost than its keys in rows written as objects; negative if they cost less. */
  settle(place: Place): number {
    const { path, objects, values } = place;
    const nameLength = path.reduce((sum, key) => sum + key.length + 1, 2);
    const column = nameLength + (this.#rows - objects - values) * ABSENT_LENGTH;
    if (this.#named.has(place) || objects === 0) return column;
    if (place.isWhole) return column;
    const ownColumn = values === 0 ? 0 : nameLength + (this.#rows - values) * ABSENT_LENGTH;
    const apart = place.below.reduce((sum, next) => sum + this.settle(next), ownColumn) - place.plainLength;
    place.isWhole = !this.#above.has(place) && apart > column;
    return place.isWhole ? column : apart;
  }

  write(place: Place): void {
    const { path, cells, objects, values } = place;
    const by = this.#named.get(place);
    if (by !== undefined || place.isWhole || objects === 0) {
      const own = by === undefined ? cells : namesIn(place, by);
      this.columns.push({ path, cells: pad(own, this.#rows), present: objects + values });
      return;
    }
    if (values > 0) {
      const own = cells.map((cell) => (isFilledObject(cell) ? undefined : cell));
      this.columns.push({ path, cells: pad(own, this.#rows), present: values });
    }
    this.plainLength += place.plainLength;
    for (const next of place.below) this.write(next);
  }
}

/** An object that is the same in all rows is written whole, whatever it contains. */
function closeConstants(place: Place, rows: number): void {
  for (const next of place.below) {
    const { path, cells, objects } = next;
    const isEverywhere = objects === rows && typeof columnName(path) === "string";
    next.isWhole ||= isEverywhere && cells.every((cell) => isSameText(cell, cells[0]));
    if (!next.isWhole) closeConstants(next, rows);
  }
}

function countColumns({ below, isWhole, objects }: Place): number {
  return isWhole || objects === 0 ? 1 : below.reduce((sum, next) => sum + countColumns(next), 1);
}

function settle(root: Place, rows: number): { readonly chooser: Chooser; readonly groups: readonly Group[] } {
  const groups = findGroups(root);
  const chooser = new Chooser(root, rows, groups);
  for (const place of root.below) chooser.settle(place);
  return { chooser, groups };
}

/** The columns of like objects; undefined if most of the cells would be empty. */
export function chooseColumns(root: Place, rows: number): Columns | undefined {
  if (root.below.length * rows > root.entries * MAX_EMPTY_FACTOR + MAX_COLUMNS) return undefined;
  closeConstants(root, rows);
  let settled = settle(root, rows);
  if (countColumns(root) > MAX_COLUMNS) {
    // Rows that are too wide are split only into their own keys.
    for (const place of root.below) place.isWhole = true;
    settled = settle(root, rows);
  }
  const { chooser, groups } = settled;
  for (const place of root.below) chooser.write(place);
  const { columns, plainLength } = chooser;
  return { columns, groups, plainLength };
}
