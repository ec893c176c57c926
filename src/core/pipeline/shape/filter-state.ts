import { type PathNode, stepIntoItem, stepIntoName } from "./path-trie.ts";

export interface FilterRules {
  readonly roots: readonly PathNode[];
  /** Whether everything is kept that no path speaks of. */
  readonly keepsRest: boolean;
  /** Property names excluded at every depth. */
  readonly excludedNames: ReadonlySet<string>;
  /** Whether values are dropped for being empty or null, so that every part must be looked at. */
  readonly drops: boolean;
}

/** What the filter knows at one place of the data. Places where the paths stand alike share a state. */
export interface FilterState {
  readonly verdict: "gone" | "untouched" | "walk";
  /** Whether a bare value stays here, rather than only what a path reaches further below. */
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
export function startState(rules: FilterRules): FilterState {
  return new StateTable(rules).settle(rules.roots, rules.keepsRest);
}

class StateTable {
  readonly #rules: FilterRules;
  readonly #known = new Map<string, FilterState>();

  constructor(rules: FilterRules) {
    this.#rules = rules;
  }

  /** The state of a place by the paths that stand there, of which some may end. */
  settle(nodes: readonly PathNode[], keepsRest: boolean): FilterState {
    const ends = new Set(nodes.filter(({ isEnd }) => isEnd).map(({ purpose }) => purpose));
    if (ends.has("rescue")) return untouched;
    if (ends.has("exclude")) return this.#exclude(nodes);
    return this.#stateOf(nodes, keepsRest || ends.has("include"));
  }

  /** Excluded parts are still walked, for paths that are kept in spite of the exclusion. */
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
