import { uniqueIds, ownId } from "../../json/main-collection.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import { TABLE } from "../../json/table/table-notation.ts";
import { type Omission, type OmittedItems, countRuns } from "./omission.ts";
import type { TextWeigher } from "./weigh-parcel.ts";

/** If more items than this are left out, places are shorter than names. */
const MAX_NAMED = 200;
/** The share of the budget that ids may take; if they take more, places are used. */
const NAMED_SHARE = 0.05;
/** A longer list would cost too many tokens; the archive has the exact one. */
const MAX_ENTRIES = 50;
/** Up to this many places are named exactly, whatever share of the budget that takes. */
const MAX_SURE = 8;
/** Blocks have no ids of their own, so a longer list of them says little. */
const MAX_BLOCKS = 8;
/** Longer names are refused when they are sent back. */
const MAX_NAME_LENGTH = 4_096;
const BLOCKS = "#content/";

interface ScopeOptions {
  /** The data that contains the named places; undefined if only blocks can be left out. */
  readonly whole?: JsonValue | undefined;
  /** Where the items have their ids. */
  readonly idPath?: string | undefined;
  /** Undefined if names may have any cost. */
  readonly gauge?: TextWeigher | undefined;
}

/** The data that names refer to. All cuts of a result share one scope, so that unique ids are found only once. */
export class NamingScope {
  readonly #options: ScopeOptions;
  #unique: ReadonlySet<string> | undefined;

  constructor(options: ScopeOptions = {}) {
    this.#options = options;
  }

  /** The id of an item if it is unambiguous: not a place, and not the id of another item, omitted or kept. */
  idOf({ items, name }: OmittedItems, index: number): string | undefined {
    const { whole = null, idPath } = this.#options;
    const id = ownId(items[index] ?? null, name, idPath);
    if (id === undefined || /^[/#]/.test(id) || id.length > MAX_NAME_LENGTH) return undefined;
    this.#unique ??= uniqueIds(decodeTables(whole), idPath);
    return this.#unique.has(id) ? id : undefined;
  }

  hasRoomFor(ids: readonly string[]): boolean {
    const { gauge } = this.#options;
    if (gauge === undefined) return true;
    const room = gauge.budget * NAMED_SHARE;
    return gauge.weigh(JSON.stringify(ids), room) <= room;
  }
}

function ownIds(omission: OmittedItems, scope: NamingScope): readonly string[] | undefined {
  const ids: string[] = [];
  for (const [from, to] of omission.runs) {
    for (let index = from; index <= to; index++) {
      const id = scope.idOf(omission, index);
      if (id === undefined) return undefined;
      ids.push(id);
    }
  }
  return ids;
}

function asRanges({ pointer, runs, isAll }: OmittedItems): string[] {
  if (isAll === true) return [`${pointer}/*`];
  return runs.map(([from, to]) => (from === to ? `${pointer}/${from}` : `${pointer}/${from}..${to}`));
}

const INSIDE_TABLE = new RegExp(`/\\${TABLE}(?=[/#]|$)`);

/** Names refer to the data as it was before it was written as tables, so a part of a table is named by its list. */
function outsideTables(name: string): string {
  const at = name.search(INSIDE_TABLE);
  if (at < 0) return name;
  return at === 0 ? "/*" : name.slice(0, at);
}

/** A pointer through very long keys is replaced by one that ends above them. */
function shortened(place: string): string {
  const name = outsideTables(place);
  if (name.length <= MAX_NAME_LENGTH) return name;
  const above = name.slice(0, name.lastIndexOf("/", MAX_NAME_LENGTH - 2));
  return `${above}/*`;
}

function placesOf(omission: Omission): readonly string[] {
  if (omission.kind === "part") return [shortened(omission.id)];
  if (omission.kind === "text")
    return omission.runs.map(([from, to]) => shortened(`${omission.pointer}#char=${from}-${to}`));
  return asRanges(omission).map(shortened);
}

/** The same with at most one name for each list and each text. */
function placeOf(omission: Omission): readonly string[] {
  if (omission.kind === "part" || omission.runs.length < 2) return placesOf(omission);
  if (omission.kind === "items") return [shortened(`${omission.pointer}/*`)];
  const all = [omission.runs[0]?.[0] ?? 0, omission.runs.at(-1)?.[1] ?? 0] as const;
  return placesOf({ ...omission, runs: [all] });
}

/** The first key on the way to the omission: `/items` of `/items/3/tags`; of a block, `#content`. */
function firstKeyOf(omission: Omission): string {
  const place = omission.kind === "part" ? omission.id : omission.pointer;
  return /^(?:\/[^/]*|#content)/.exec(place)?.[0] ?? "";
}

/** One name for everything below a first key, if more than one thing is missing there. */
function coalesce(omissions: readonly Omission[]): readonly string[] {
  const groups = new Map<string, Omission[]>();
  for (const omission of omissions) {
    const key = firstKeyOf(omission);
    groups.set(key, [...(groups.get(key) ?? []), omission]);
  }
  const names = [...groups].flatMap(([key, [first, ...others]]) =>
    first !== undefined && others.length === 0 ? placeOf(first) : [shortened(`${key}/*`)],
  );
  if (names.length <= MAX_ENTRIES) return names;
  return groups.has("#content") ? ["/*", `${BLOCKS}*`] : ["/*"];
}

function coalesceBlocks(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => !name.startsWith(BLOCKS));
  return names.length - others.length > MAX_BLOCKS ? [...others, `${BLOCKS}*`] : names;
}

/** The items' own ids for each list whose items all have one, and the places of everything else. */
function namesById(omissions: readonly Omission[], scope: NamingScope): readonly string[] | undefined {
  const lists = omissions.filter((one) => one.kind === "items");
  const dropped = lists.reduce((sum, { runs }) => sum + countRuns(runs), 0);
  if (dropped === 0 || dropped > MAX_NAMED) return undefined;
  const named = omissions.map((one) => (one.kind === "items" ? ownIds(one, scope) : undefined));
  const ids = named.flatMap((own) => own ?? []);
  if (ids.length === 0 || !scope.hasRoomFor(ids)) return undefined;
  const names = omissions.flatMap((one, index) => named[index] ?? placesOf(one));
  return names.length - ids.length <= MAX_ENTRIES ? names : undefined;
}

/** The names of what was left out: the items' own ids if they are few and unique, else places. */
export function nameOmissions(
  omissions: readonly Omission[],
  scope: NamingScope = new NamingScope(),
): readonly string[] {
  const own = namesById(omissions, scope);
  return own === undefined ? namePlaces(omissions, scope) : coalesceBlocks(own);
}

/** The names of what was left out, as places only. */
export function namePlaces(
  omissions: readonly Omission[],
  scope: NamingScope = new NamingScope(),
): readonly string[] {
  const exact = coalesceBlocks([...new Set(omissions.flatMap(placesOf))]);
  const isShort = exact.length <= MAX_SURE || (exact.length <= MAX_ENTRIES && scope.hasRoomFor(exact));
  if (isShort) return exact;
  const fewer = coalesceBlocks(omissions.flatMap(placeOf));
  return fewer.length <= MAX_ENTRIES ? fewer : coalesce(omissions);
}
