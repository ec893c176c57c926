import { ContractError } from "../../contract/contract-error.ts";
import { type JsonValue, type JsonObject, setOwn } from "../../json/json-value.ts";
import {
  type PathStep,
  parsePath,
  createTrieBuilder,
  type PathNode,
  stepIntoItem,
  stepIntoName,
} from "./parse-path.ts";

/** Which fields of a tool's data are sent. Paths start at `data`: `functions`, `tasks[*].id`, `a.*.b`, `["a.b"]`. */
export interface FieldFilter {
  /** Keeps these paths, whole, and the objects above them. An empty list keeps everything. */
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
  /** Whether the filter may hide fields; dropping empty values does not count as hiding. */
  readonly hides: (facts?: FilterFacts) => boolean;
}

/** The error's own fields in the data of a failure, in any dialect; no filter removes them. */
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

/** Applies one filter after the other. */
export function narrow(filter: CompiledFilter, further: CompiledFilter): CompiledFilter {
  const keep = (data: JsonValue, facts?: FilterFacts): JsonValue => further(filter(data, facts), facts);
  return Object.assign(keep, {
    hides: (facts?: FilterFacts) => filter.hides(facts) || further.hides(facts),
  });
}

/** Failures and tiers have their own rules, so each has its own start state. */
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

/** An array item cannot be excluded: the items after it would move to other places. */
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

/** Which empty values an object loses. Array items are never removed. */
interface Drops {
  readonly emptyArrays: boolean;
  readonly emptyObjects: boolean;
  readonly nulls: boolean;
}

/** The part of a value that a state keeps; unchanged parts are the same references as in the value. */
function prune(value: JsonValue, state: FilterState, drops: Drops): JsonValue {
  if (typeof value !== "object" || value === null || state.verdict === "untouched") return value;
  return isArray(value) ? pruneArray(value, state, drops) : pruneObject(value, state, drops);
}

function pruneArray(array: readonly JsonValue[], state: FilterState, drops: Drops): readonly JsonValue[] {
  const { named, rest } = state.items();
  if (named.size === 0 && rest.verdict === "untouched") return array;
  let pruned: JsonValue[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const item = array[index];
    if (typeof item !== "object" || item === null) continue;
    const next = named.size === 0 ? rest : (named.get(index) ?? rest);
    const kept = prune(item, next, drops);
    if (kept === item) continue;
    pruned ??= array.slice();
    pruned[index] = kept;
  }
  return pruned ?? array;
}

function pruneObject(object: JsonObject, state: FilterState, drops: Drops): JsonObject {
  const { named, rest } = state.names();
  const keys = Object.keys(object);
  let pruned: Record<string, JsonValue> | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const value = object[key];
    const kept = pruneProperty(value, named.get(key) ?? rest, drops);
    if (pruned === undefined) {
      if (kept === value) continue;
      pruned = copyFirst(object, keys, index);
    }
    if (kept !== undefined) setOwn(pruned, key, kept);
  }
  return pruned ?? object;
}

function pruneProperty(
  value: JsonValue | undefined,
  state: FilterState,
  drops: Drops,
): JsonValue | undefined {
  if (state.verdict === "gone" || value === undefined) return undefined;
  if (value === null) return drops.nulls ? undefined : value;
  if (typeof value !== "object") return state.keepsRest ? value : undefined;
  const kept = prune(value, state, drops);
  if (isArray(kept)) return drops.emptyArrays && kept.length === 0 ? undefined : kept;
  return drops.emptyObjects && isEmptyObject(kept) ? undefined : kept;
}

function copyFirst(object: JsonObject, keys: readonly string[], count: number): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (let index = 0; index < count; index++) {
    const key = keys[index] ?? "";
    const value = object[key];
    if (value !== undefined) setOwn(copy, key, value);
  }
  return copy;
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Array.isArray does not narrow readonly arrays away from objects. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

interface FilterRules {
  readonly roots: readonly PathNode[];
  /** Whether everything is kept that no path mentions. */
  readonly keepsRest: boolean;
  /** Property names excluded at every depth. */
  readonly excludedNames: ReadonlySet<string>;
  /** Whether values are dropped for being empty or null, so that every part must be visited. */
  readonly drops: boolean;
}

/** What the filter knows at one place of the data. Places that the paths treat alike share a state. */
interface FilterState {
  readonly verdict: "gone" | "untouched" | "walk";
  /** Whether a bare value stays here, or only what a path reaches further below. */
  readonly keepsRest: boolean;
  readonly names: () => Edges<string>;
  readonly items: () => Edges<number>;
}

interface Edges<K> {
  readonly named: ReadonlyMap<K, FilterState>;
  readonly rest: FilterState;
}

const noEdges = (): never => {
  throw new TypeError("A state that is not walked has no edges.");
};
const gone: FilterState = { verdict: "gone", keepsRest: false, names: noEdges, items: noEdges };
const untouched: FilterState = { verdict: "untouched", keepsRest: true, names: noEdges, items: noEdges };

/** The state at the root of the data. Further states are made when the data first reaches them. */
function startState(rules: FilterRules): FilterState {
  return new StateTable(rules).settle(rules.roots, rules.keepsRest);
}

class StateTable {
  readonly #rules: FilterRules;
  readonly #known = new Map<string, FilterState>();

  constructor(rules: FilterRules) {
    this.#rules = rules;
  }

  /** The state of a place, from the nodes of the paths that reach it; some paths may end there. */
  settle(nodes: readonly PathNode[], keepsRest: boolean): FilterState {
    const ends = new Set(nodes.filter(({ isEnd }) => isEnd).map(({ purpose }) => purpose));
    if (ends.has("rescue")) return untouched;
    if (ends.has("exclude")) return this.#exclude(nodes);
    return this.#stateOf(nodes, keepsRest || ends.has("include"));
  }

  /** Excluded parts are still walked, for paths that are kept despite the exclusion. */
  #exclude(nodes: readonly PathNode[]): FilterState {
    const rescues = nodes.filter(({ purpose }) => purpose === "rescue");
    if (rescues.some(({ isEnd }) => isEnd)) return untouched;
    return rescues.length === 0 ? gone : this.#stateOf(rescues, false);
  }

  #stateOf(nodes: readonly PathNode[], keepsRest: boolean): FilterState {
    const { drops, excludedNames } = this.#rules;
    if (keepsRest && !drops && excludedNames.size === 0 && !nodes.some(canExclude)) return untouched;
    const ids = new Set(nodes.map(({ id }) => id));
    const signature = `${keepsRest}:${[...ids].sort((a, b) => a - b).join()}`;
    const state = this.#known.get(signature) ?? this.#walk(nodes, keepsRest);
    this.#known.set(signature, state);
    return state;
  }

  #walk(nodes: readonly PathNode[], keepsRest: boolean): FilterState {
    const { excludedNames } = this.#rules;
    const atName = (name?: string): FilterState => {
      const entered = stepIntoName(nodes, name);
      if (name !== undefined && excludedNames.has(name)) return this.#exclude(entered);
      return keepsRest || entered.some(isSelecting) ? this.settle(entered, keepsRest) : gone;
    };
    const atItem = (index?: number): FilterState => this.settle(stepIntoItem(nodes, index), keepsRest);
    const names = () => [...excludedNames, ...nodes.flatMap((node) => [...node.names.keys()])];
    const indexes = () => nodes.flatMap((node) => [...node.items.keys()]);
    return {
      verdict: "walk",
      keepsRest,
      names: once(() => ({ named: tabulate(names(), atName), rest: atName() })),
      items: once(() => ({ named: tabulate(indexes(), atItem), rest: atItem() })),
    };
  }
}

function isSelecting({ purpose }: PathNode): boolean {
  return purpose !== "exclude";
}

/** A root without paths excludes nothing; every other node has an end at or below it. */
function canExclude({ purpose, names, anyName, items, anyItem }: PathNode): boolean {
  return purpose === "exclude" && (names.size > 0 || items.size > 0 || (anyName ?? anyItem) !== undefined);
}

function tabulate<K>(keys: readonly K[], stateAt: (key: K) => FilterState): Map<K, FilterState> {
  return new Map(keys.map((key) => [key, stateAt(key)]));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
