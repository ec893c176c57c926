import type { JsonValue } from "../../json/json-value.ts";
import { ownId } from "../../json/main-collection.ts";

/** Items left out of one array; places are those of the whole, which the archive keeps. */
export interface OmittedItems {
  readonly kind: "items";
  readonly pointer: string;
  /** The key the array stands under, or "items". */
  readonly name: string;
  readonly items: readonly JsonValue[];
  /** First and last place of each run that was left out. */
  readonly runs: readonly (readonly [number, number])[];
}

/** The rest of a text, in code points, the end not included. */
interface OmittedText {
  readonly kind: "text";
  readonly pointer: string;
  readonly from: number;
  readonly to: number;
  /** What was left out itself. */
  readonly rest?: string;
}

/** A value or block that is gone altogether, by the name it is fetched with. */
interface OmittedPart {
  readonly kind: "part";
  readonly id: string;
}

export type Omission = OmittedItems | OmittedText | OmittedPart;

/** How many items a run list covers. */
function countRuns(runs: OmittedItems["runs"]): number {
  return runs.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** What `CONTENT_TRUNCATED` says in numbers: how many of what were left out, of how many. */
export interface OmissionCount {
  readonly dropped: number;
  readonly total: number;
  readonly noun: string;
}

/** A wrapped list stands under a key that is ours and names nothing. */
function nounOf(list: OmittedItems | undefined): string {
  return list === undefined || list.pointer === "/result" ? "items" : list.name;
}

/** Counts items first; if no item was left out, texts that lost their end; else values that were left out whole. */
export function countOmitted(omissions: readonly Omission[]): OmissionCount {
  const lists = omissions.filter((omission) => omission.kind === "items");
  if (lists.length > 0) {
    const [first, ...others] = lists;
    return {
      dropped: lists.reduce((sum, { runs }) => sum + countRuns(runs), 0),
      total: lists.reduce((sum, { items }) => sum + items.length, 0),
      noun: others.every(({ name }) => name === first?.name) ? nounOf(first) : "items",
    };
  }
  const texts = omissions.filter(({ kind }) => kind === "text").length;
  if (texts > 0) return { dropped: texts, total: texts, noun: "text endings" };
  return { dropped: omissions.length, total: omissions.length, noun: "parts" };
}

/** The places that are not kept, as runs. */
export function runsWithout(kept: readonly number[], total: number): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  let next = 0;
  for (const index of [...kept, total]) {
    if (index > next) runs.push([next, index - 1]);
    next = index + 1;
  }
  return runs;
}

const SLICE_LENGTH = 2_048;

/** The texts of what was left out, piece by piece, for as long as somebody reads on. */
export function* omittedTexts(omissions: readonly Omission[]): Generator<string> {
  for (const omission of omissions) {
    if (omission.kind === "items") {
      for (const [from, to] of omission.runs) {
        for (let index = from; index <= to; index++) yield JSON.stringify(omission.items[index] ?? null);
      }
    } else if (omission.kind === "text") {
      const { rest = "" } = omission;
      for (let start = 0; start < rest.length; start += SLICE_LENGTH)
        yield JSON.stringify(rest.slice(start, start + SLICE_LENGTH)).slice(1, -1);
    }
  }
}

/** With more left out than this, places are shorter to say than names. */
const MAX_NAMED = 20;
/** A longer list would cost too many tokens; the archive has the exact one. */
const MAX_ENTRIES = 50;
/** Blocks have no ids of their own, so a list of them tells little. */
const MAX_BLOCKS = 8;
const BLOCKS = "#content/";

function ownIds(omission: OmittedItems, idPath: string | undefined): readonly string[] | undefined {
  const ids: string[] = [];
  for (const [from, to] of omission.runs) {
    for (let index = from; index <= to; index++) {
      const id = ownId(omission.items[index] ?? null, omission.name, idPath);
      if (id === undefined || id === "" || id.startsWith("/") || id.startsWith("#")) return undefined;
      ids.push(id);
    }
  }
  return ids;
}

/** Items of other lists, or kept ones, with the same id would make a name mean two things. */
function isUnique(ids: readonly string[], omission: OmittedItems, idPath: string | undefined): boolean {
  const wanted = new Set(ids);
  if (wanted.size !== ids.length) return false;
  const seen = omission.items.filter((item) => wanted.has(ownId(item, omission.name, idPath) ?? ""));
  return seen.length === ids.length;
}

function asRanges({ pointer, runs }: OmittedItems): string[] {
  return runs.map(([from, to]) => (from === to ? `${pointer}/${from}` : `${pointer}/${from}..${to}`));
}

function nameOne(omission: Omission, idPath: string | undefined, isShort: boolean): readonly string[] {
  if (omission.kind === "part") return [omission.id];
  if (omission.kind === "text") return [`${omission.pointer}#char=${omission.from}-${omission.to}`];
  const ids = isShort ? ownIds(omission, idPath) : undefined;
  return ids !== undefined && isUnique(ids, omission, idPath) ? ids : asRanges(omission);
}

/** Everything below the first key together: `/items/3/tags/7` becomes `/items/*`, `#content/3` becomes `#content/*`. */
function coalesce(names: readonly string[]): readonly string[] {
  const groups = new Set(names.map((name) => name.replace(/^(\/[^/]*|#content)(?:\/.*)?$/s, "$1/*")));
  return groups.size <= MAX_ENTRIES ? [...groups] : ["/*"];
}

function coalesceBlocks(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => !name.startsWith(BLOCKS));
  return names.length - others.length > MAX_BLOCKS ? [...others, `${BLOCKS}*`] : names;
}

/** What was left out, by the items' own ids where they are few and unique, else by place. */
export function nameOmissions(omissions: readonly Omission[], idPath: string | undefined): readonly string[] {
  const dropped = omissions.reduce((sum, one) => sum + (one.kind === "items" ? countRuns(one.runs) : 1), 0);
  const names = omissions.map((omission) => nameOne(omission, idPath, dropped <= MAX_NAMED));
  const flat = names.flat();
  const isAmbiguous = new Set(flat).size !== flat.length;
  const places = isAmbiguous ? omissions.flatMap((omission) => nameOne(omission, idPath, false)) : flat;
  const exact = coalesceBlocks(places);
  if (exact.length <= MAX_ENTRIES) return exact;
  const byArray = omissions.flatMap((omission) =>
    omission.kind === "items" && omission.runs.length > 1
      ? [`${omission.pointer}/*`]
      : nameOne(omission, idPath, false),
  );
  const fewer = coalesceBlocks(byArray);
  return fewer.length <= MAX_ENTRIES ? fewer : coalesce(fewer);
}
