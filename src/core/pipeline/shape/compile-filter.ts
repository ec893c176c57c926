import { ContractError } from "../../contract/contract-error.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { type FilterState, startState } from "./filter-state.ts";
import { type PathStep, parsePath } from "./parse-path.ts";
import { createTrieBuilder } from "./path-trie.ts";
import { type Drops, prune } from "./prune.ts";

/** Which fields of a tool's data are sent. Paths start at `data`: `functions`, `tasks[*].id`, `a.*.b`, `["a.b"]`. */
export interface FieldFilter {
  /** Keeps these paths, whole, and the way to them. An empty list keeps everything. */
  readonly includeOnly?: readonly string[] | undefined;
  /** Removes these paths, even if another option keeps them. */
  readonly exclude?: readonly string[] | undefined;
  /** Keeps these paths in the data of a failure, even if excluded. */
  readonly includeOnError?: readonly string[] | undefined;
  /** Further exclusions for calls of a tier. */
  readonly excludeWhenTier?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Names (not paths) removed at every depth. */
  readonly excludeFields?: readonly string[] | undefined;
  readonly dropEmptyArrays?: boolean | undefined;
  readonly dropEmptyObjects?: boolean | undefined;
  readonly dropNulls?: boolean | undefined;
}

export interface FilterFacts {
  /** Whether the data belongs to a failure. */
  readonly failed?: boolean | undefined;
  readonly tier?: string | undefined;
}

export interface CompiledFilter {
  (data: JsonValue, facts?: FilterFacts): JsonValue;
  /** Whether it may hide fields; dropping empty values does not count as hiding. */
  readonly hides: (facts?: FilterFacts) => boolean;
}

/** What an error says in the data of a failure, in any dialect; no filter removes it. */
const errorFields = ["error", "error_code", "error_type", "error_details", "remediation", "details"];
const noDrops: Drops = { emptyArrays: false, emptyObjects: false, nulls: false };

/** Parses the paths once; the returned function is pure and may be used for any number of results. */
export function compileFilter(filter: FieldFilter): CompiledFilter {
  const excludeOfTier = new Map<string | undefined, PathStep[][]>(
    Object.entries(filter.excludeWhenTier ?? {}).map(([tier, paths]) => [
      tier,
      parseExclusions(paths, `excludeWhenTier.${tier}`),
    ]),
  );
  const drops: Drops = {
    emptyArrays: filter.dropEmptyArrays === true,
    emptyObjects: filter.dropEmptyObjects === true,
    nulls: filter.dropNulls === true,
  };
  const startFor = starter(filter, drops);
  const starts = new Map<string, FilterState>();
  const keep = (data: JsonValue, facts: FilterFacts = {}): JsonValue => {
    if (typeof data !== "object" || data === null) return data;
    const failed = facts.failed === true;
    const tierExclude = excludeOfTier.get(facts.tier);
    const key = tierExclude === undefined ? `${failed}` : `${failed}:${facts.tier}`;
    const start = starts.get(key) ?? startFor(failed, tierExclude ?? []);
    starts.set(key, start);
    return prune(data, start, failed ? noDrops : drops);
  };
  const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;
  const always = count(filter.exclude) + count(filter.excludeFields) > 0;
  const hides = ({ failed, tier }: FilterFacts = {}): boolean =>
    always || count(excludeOfTier.get(tier)) > 0 || (failed !== true && count(filter.includeOnly) > 0);
  return Object.assign(keep, { hides });
}

/** One filter after the other. */
export function narrow(filter: CompiledFilter, further: CompiledFilter): CompiledFilter {
  const keep = (data: JsonValue, facts?: FilterFacts): JsonValue => further(filter(data, facts), facts);
  return Object.assign(keep, {
    hides: (facts?: FilterFacts) => filter.hides(facts) || further.hides(facts),
  });
}

/** Failures and tiers have rules of their own, so each has a start of its own. */
function starter(
  filter: FieldFilter,
  drops: Drops,
): (failed: boolean, tierExclude: PathStep[][]) => FilterState {
  const include = parsePaths(filter.includeOnly, "includeOnly");
  const exclude = parseExclusions(filter.exclude, "exclude");
  const onError = parsePaths(filter.includeOnError, "includeOnError");
  const errorPaths = errorFields.map((name): PathStep[] => [{ kind: "name", name }]);
  const excludedNames = new Set(stringsOf(filter.excludeFields, "excludeFields"));
  return (failed, tierExclude) => {
    const buildTrie = createTrieBuilder();
    const selected = failed
      ? buildTrie("rescue", [...errorPaths, ...onError])
      : buildTrie("include", include);
    return startState({
      roots: [selected, buildTrie("exclude", [...exclude, ...tierExclude])],
      keepsRest: failed || include.length === 0,
      excludedNames,
      drops: !failed && (drops.emptyArrays || drops.emptyObjects || drops.nulls),
    });
  };
}

function stringsOf(list: readonly string[] | undefined, option: string): readonly string[] {
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every((entry) => typeof entry === "string")) return list;
  throw new ContractError("INVALID_OPTION", `The filter option ${option} takes a list of strings.`, {
    option,
  });
}

function parsePaths(paths: readonly string[] | undefined, option: string): PathStep[][] {
  return stringsOf(paths, option).map((path) => parsePath(path, option));
}

/** An item cannot leave an array: the items after it would move to other places. */
function parseExclusions(paths: readonly string[] | undefined, option: string): PathStep[][] {
  return stringsOf(paths, option).map((path) => {
    const steps = parsePath(path, option);
    const last = steps.at(-1)?.kind;
    if (last === "name" || last === "any-name") return steps;
    const message = `The path ${JSON.stringify(path)} in ${option} removes array items, which would move the others: exclude the whole array, or fields of its items.`;
    throw new ContractError("INVALID_OPTION", message, { option, path, position: path.lastIndexOf("[") });
  });
}

/**
 * The part of `data` that a filter keeps. Compile a filter that is used again with `compileFilter`.
 *
 * @example
 * filterData({ tasks: [{ id: 1, log: "…" }], took: 3 }, { includeOnly: ["tasks.id"] }); // { tasks: [{ id: 1 }] }
 */
export function filterData(data: JsonValue, filter: FieldFilter, facts: FilterFacts = {}): JsonValue {
  return compileFilter(filter)(data, facts);
}
