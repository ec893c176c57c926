// Finds inner objects that repeat, in one column or in several, and a name for each: rows then hold the name, and the
// object is written once.

import type { JsonObject, JsonValue } from "../json-value.ts";
import { type Place, isFilledObject } from "./collect-places.ts";
import { isSameText } from "./is-same-text.ts";
import { columnName, textLength } from "./table-notation.ts";

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

export interface Group {
  readonly places: readonly Place[];
  readonly by: string;
  readonly members: ReadonlyMap<Name, Member>;
  /** The characters of all the objects in their original places. */
  readonly plainLength: number;
}

interface Candidate {
  readonly place: Place;
  readonly objects: readonly JsonObject[];
  readonly isList: boolean;
}

/** The objects of a column; undefined if it also has a text or number that could be taken for a name. */
function objectsOf(place: Place): Candidate | undefined {
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

function candidatesBelow(place: Place): Candidate[] {
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

function groupOf(candidates: readonly Candidate[]): Group | undefined {
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
function* around(root: Place, { path }: Place): Generator<Place> {
  let place: Place | undefined = root;
  for (const key of path) {
    place = place?.known.get(key);
    if (place !== undefined) yield place;
  }
  if (place !== undefined) yield* allBelow(place);
}

function* allBelow({ below }: Place): Generator<Place> {
  for (const next of below) {
    yield next;
    yield* allBelow(next);
  }
}

/** One group for all columns with objects of one kind; if the columns contradict each other, a group for each. */
function groupsOf(candidates: readonly Candidate[]): readonly Group[] {
  const together = groupOf(candidates);
  if (together !== undefined) return [together];
  return candidates.length < 2 ? [] : candidates.flatMap((one) => groupOf([one]) ?? []);
}

/** Large objects first: objects inside an object that is written once need no group of their own. */
export function findGroups(root: Place): readonly Group[] {
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
  const taken = new Set<Place>();
  return sized.flatMap(({ alike }) => {
    const groups = groupsOf(alike.filter(({ place }) => !taken.has(place)));
    for (const place of groups.flatMap(({ places }) => places)) {
      for (const one of around(root, place)) taken.add(one);
    }
    return groups;
  });
}
