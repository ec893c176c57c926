import { ownId } from "../../json/main-collection.ts";
import { type Omission, type OmittedItems, countRuns } from "./omission.ts";

/** With more left out than this, places are shorter to say than names. */
const MAX_NAMED = 20;
/** A longer list would cost more than it tells: the exact one can be had from the archive. */
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
