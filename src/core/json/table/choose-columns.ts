import type { JsonValue, JsonObject } from "../json-value.ts";
import { type KeyPlace, isFilledObject } from "./collect-places.ts";
import { MAX_COLUMNS, columnName, textLength } from "./table-notation.ts";

/**
 * How much a table states only once. `plain`: columns and rows, each cell in its place. `dense`: constant columns, columns
 * that follow from another one and objects that repeat are stated in the header, and cells refer to them.
 */
export const tableForms = ["plain", "dense"] as const;
export type TableForm = (typeof tableForms)[number];

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
  readonly groups: readonly ColumnGroup[];
  /** The characters of everything but values and row separators, if the rows are written as objects. */
  readonly plainLength: number;
}

function pad(cells: readonly (JsonValue | undefined)[], rows: number): readonly (JsonValue | undefined)[] {
  return cells.length === rows ? cells : [...cells, ...Array<undefined>(rows - cells.length).fill(undefined)];
}

/** The cells of a column whose objects have names: the name, or the list of names. */
function namesIn({ cells }: KeyPlace, by: string): readonly (JsonValue | undefined)[] {
  const nameOf = (object: JsonValue): JsonValue => (isFilledObject(object) ? (object[by] ?? null) : object);
  return cells.map((cell) => {
    if (cell === undefined) return cell;
    return Array.isArray(cell) ? (cell as readonly JsonValue[]).map(nameOf) : nameOf(cell);
  });
}

/** Decides for each place whether its objects are split into columns, and returns the columns. */
class Chooser {
  readonly #rows: number;
  readonly #named = new Map<KeyPlace, string>();
  /** The places above those with names: always split. */
  readonly #above = new Set<KeyPlace>();
  readonly columns: Column[] = [];
  plainLength: number;

  constructor(root: KeyPlace, rows: number, groups: readonly ColumnGroup[]) {
    this.#rows = rows;
    this.plainLength = root.plainLength;
    for (const { places, by } of groups) {
      for (const place of places) {
        this.#named.set(place, by);
        this.#climb(root, place);
      }
    }
  }

  #climb(root: KeyPlace, { path }: KeyPlace): void {
    let place = root;
    for (const key of path.slice(0, -1)) {
      place = place.known.get(key) ?? place;
      this.#above.add(place);
    }
  }

  /** How much more the columns of a place cost than its keys in rows written as objects; negative if they cost less. */
  settle(place: KeyPlace): number {
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

  write(place: KeyPlace): void {
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
function closeConstants(place: KeyPlace, rows: number): void {
  for (const next of place.below) {
    const { path, cells, objects } = next;
    const isEverywhere = objects === rows && typeof columnName(path) === "string";
    next.isWhole ||= isEverywhere && cells.every((cell) => isSameText(cell, cells[0]));
    if (!next.isWhole) closeConstants(next, rows);
  }
}

function countColumns({ below, isWhole, objects }: KeyPlace): number {
  return isWhole || objects === 0 ? 1 : below.reduce((sum, next) => sum + countColumns(next), 1);
}

function settle(
  root: KeyPlace,
  rows: number,
  form: TableForm,
): { readonly chooser: Chooser; readonly groups: readonly ColumnGroup[] } {
  const groups = form === "dense" ? findGroups(root) : [];
  const chooser = new Chooser(root, rows, groups);
  for (const place of root.below) chooser.settle(place);
  return { chooser, groups };
}

/** The columns of like objects; undefined if most of the cells would be empty. */
export function chooseColumns(root: KeyPlace, rows: number, form: TableForm): Columns | undefined {
  if (root.below.length * rows > root.entries * MAX_EMPTY_FACTOR + MAX_COLUMNS) return undefined;
  if (form === "dense") closeConstants(root, rows);
  let settled = settle(root, rows, form);
  if (countColumns(root) > MAX_COLUMNS) {
    // Rows that are too wide are split only into their own keys.
    for (const place of root.below) place.isWhole = true;
    settled = settle(root, rows, form);
  }
  const { chooser, groups } = settled;
  for (const place of root.below) chooser.write(place);
  const { columns, plainLength } = chooser;
  return { columns, groups, plainLength };
}

// Finds inner objects that repeat, in one column or in several, and a name for each: rows then hold the name, and the
// object is written once.

/** Names that people use come before numbers. */
const preferred = ["login", "key", "slug", "name", "full_name", "title", "id", "uuid", "email", "code"];
const LIKE_A_NAME = /(?:name|key|id)$/i;
/** A longer text is not a name. */
const MAX_NAME_LENGTH = 100;
/** How many keys of an object are tried. */
const MAX_TRIED = 8;
/** If more than this share of the objects are distinct, names save nothing. */
const MAX_DISTINCT_SHARE = 0.75;
/** The cost of an empty group: its keys, brackets and marks. */
const GROUP_LENGTH = 60;

interface Member {
  readonly object: JsonObject;
  count: number;
}

type Name = string | number;

export interface ColumnGroup {
  readonly places: readonly KeyPlace[];
  readonly by: string;
  readonly members: ReadonlyMap<Name, Member>;
  /** The characters of all the objects in their original places. */
  readonly plainLength: number;
}

interface Candidate {
  readonly place: KeyPlace;
  readonly objects: readonly JsonObject[];
  readonly isList: boolean;
}

/** The objects of a column; undefined if it also has a text or number that could be taken for a name. */
function objectsOf(place: KeyPlace): Candidate | undefined {
  const objects: JsonObject[] = [];
  let isList = false;
  for (const cell of place.cells) {
    if (typeof cell === "string" || typeof cell === "number") return undefined;
    if (Array.isArray(cell)) {
      isList = true;
      for (const item of cell as readonly JsonValue[]) {
        if (!isFilledObject(item)) return undefined;
        objects.push(item);
      }
    } else if (isFilledObject(cell)) objects.push(cell);
  }
  return objects.length === 0 ? undefined : { place, objects, isList };
}

function candidatesBelow(place: KeyPlace): Candidate[] {
  return place.below.flatMap((next) => {
    const own = typeof columnName(next.path) === "string" ? objectsOf(next) : undefined;
    const inner = next.isWhole ? [] : candidatesBelow(next);
    return own === undefined ? inner : [own, ...inner];
  });
}

/** The keys of an object that could name it, the most likely first. */
function possibleNames(object: JsonObject): readonly string[] {
  // Short before long, texts before numbers, which may only be a count.
  const rank = (key: string): number => {
    const at = preferred.indexOf(key);
    if (at >= 0) return at;
    const value = object[key];
    if (typeof value !== "string") return 2_000;
    return Math.min(value.length, 900) + (LIKE_A_NAME.test(key) ? 100 : 1_000);
  };
  return Object.keys(object)
    .filter((key) => typeof object[key] === "string" || typeof object[key] === "number")
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAX_TRIED);
}

/** Each object once, by its value under the key; undefined if two different objects have the same value there. */
function membersBy(candidates: readonly Candidate[], by: string): ReadonlyMap<Name, Member> | undefined {
  const members = new Map<Name, Member>();
  for (const { objects } of candidates) {
    for (const object of objects) {
      const name = Object.hasOwn(object, by) ? object[by] : undefined;
      if (typeof name !== "number" && (typeof name !== "string" || name.length > MAX_NAME_LENGTH))
        return undefined;
      const member = members.get(name);
      if (member === undefined) members.set(name, { object, count: 1 });
      else if (isSameText(member.object, object)) member.count += 1;
      else return undefined;
    }
  }
  return members;
}

/** The characters of an object that follow neither from the first object nor from its name: those need a cell each. */
function ownLength(value: JsonValue | undefined, first: JsonValue | undefined, name: string): number {
  if (isFilledObject(value)) {
    const base = isFilledObject(first) ? first : {};
    return Object.keys(value).reduce((sum, key) => sum + ownLength(value[key], base[key], name), 0);
  }
  if (value === undefined || isSameText(value, first)) return 0;
  if (typeof value === "string") return value.includes(name) ? 0 : value.length + 3;
  return textLength(value) + 1;
}

/** Compares the cost of the objects split into columns with their cost as a group. */
function weigh(candidates: readonly Candidate[], members: ReadonlyMap<Name, Member>): number | undefined {
  const [first] = members.values();
  const firstLength = textLength(first?.object);
  const lists = candidates.filter(({ isList }) => isList).length;
  let [plain, apart, grouped] = [0, (candidates.length - lists) * firstLength, firstLength + GROUP_LENGTH];
  for (const [name, { object, count }] of members) {
    const length = textLength(object);
    const nameLength = textLength(name) + 1;
    const own = ownLength(object, first?.object, String(name));
    plain += length * count;
    // Lists are not split, so each object in them is written whole.
    apart += (lists > 0 ? length : own + nameLength) * count;
    grouped += own + 2 * nameLength + nameLength * count;
  }
  return grouped < apart ? plain : undefined;
}

function groupOf(candidates: readonly Candidate[]): ColumnGroup | undefined {
  const first = candidates[0]?.objects[0];
  const total = candidates.reduce((sum, { objects }) => sum + objects.length, 0);
  if (first === undefined || total < 2) return undefined;
  for (const by of possibleNames(first)) {
    const members = membersBy(candidates, by);
    if (members === undefined) continue;
    const plainLength = members.size <= total * MAX_DISTINCT_SHARE ? weigh(candidates, members) : undefined;
    const places = candidates.map(({ place }) => place);
    return plainLength === undefined ? undefined : { places, by, members, plainLength };
  }
  return undefined;
}

/** A place with all places above and below it, none of which can belong to a group any more. */
function* around(root: KeyPlace, { path }: KeyPlace): Generator<KeyPlace> {
  let place: KeyPlace | undefined = root;
  for (const key of path) {
    place = place?.known.get(key);
    if (place !== undefined) yield place;
  }
  if (place !== undefined) yield* allBelow(place);
}

function* allBelow({ below }: KeyPlace): Generator<KeyPlace> {
  for (const next of below) {
    yield next;
    yield* allBelow(next);
  }
}

/** One group for all columns with objects of one kind; if the columns contradict each other, a group for each. */
function groupsOf(candidates: readonly Candidate[]): readonly ColumnGroup[] {
  const together = groupOf(candidates);
  if (together !== undefined) return [together];
  return candidates.length < 2 ? [] : candidates.flatMap((one) => groupOf([one]) ?? []);
}

/** Large objects first: objects inside an object that is written once need no group of their own. */
function findGroups(root: KeyPlace): readonly ColumnGroup[] {
  const kinds = new Map<string, Candidate[]>();
  for (const candidate of candidatesBelow(root)) {
    const kind = Object.keys(candidate.objects[0] ?? {}).join("\n");
    const alike = kinds.get(kind) ?? [];
    if (alike.push(candidate) === 1) kinds.set(kind, alike);
  }
  const sized = [...kinds.values()].map((alike) => {
    return { alike, size: Math.max(...alike.map(({ objects }) => textLength(objects[0]))) };
  });
  sized.sort((a, b) => b.size - a.size);
  const taken = new Set<KeyPlace>();
  return sized.flatMap(({ alike }) => {
    const groups = groupsOf(alike.filter(({ place }) => !taken.has(place)));
    for (const place of groups.flatMap(({ places }) => places)) {
      for (const one of around(root, place)) taken.add(one);
    }
    return groups;
  });
}

/** Deeper values count as different: comparing them could exceed the stack. */
const MAX_COMPARED = 100;

function areSameItems(one: readonly JsonValue[], other: readonly JsonValue[], depth: number): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (!isSame(one[index], other[index], depth)) return false;
  }
  return true;
}

/** One walk over both lists of keys, because their order is part of the text. */
function areSameMembers(one: JsonObject, other: JsonObject, depth: number): boolean {
  const keys = Object.keys(one);
  const others = Object.keys(other);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    if (key !== others[at] || !isSame(one[key], other[key], depth)) return false;
  }
  return true;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined, depth: number): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (depth > MAX_COMPARED || Array.isArray(one) !== Array.isArray(other)) return false;
  return Array.isArray(one)
    ? areSameItems(one, other as readonly JsonValue[], depth + 1)
    : areSameMembers(one as JsonObject, other as JsonObject, depth + 1);
}

/** Whether two values have the same JSON text: the same keys in the same order. Stops at the first difference. */
export function isSameText(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return isSame(one, other, 1);
}
