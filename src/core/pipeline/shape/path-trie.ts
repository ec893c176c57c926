import type { PathStep } from "./parse-path.ts";

/**
 * What the end of a path means: `include` keeps it (exclusions still act below), `exclude` removes it, `rescue` keeps
 * it despite every exclusion.
 */
export type PathPurpose = "include" | "exclude" | "rescue";

export interface PathNode {
  readonly id: number;
  readonly purpose: PathPurpose;
  isEnd: boolean;
  readonly names: Map<string, PathNode>;
  anyName: PathNode | undefined;
  readonly items: Map<number, PathNode>;
  anyItem: PathNode | undefined;
  namesOnly: PathNode | undefined;
}

/** Makes nodes with unique ids, so that a set of nodes has a signature. */
export function createTrieBuilder(): (
  purpose: PathPurpose,
  paths: readonly (readonly PathStep[])[],
) => PathNode {
  let nextId = 0;
  const createNode = (purpose: PathPurpose, names = new Map<string, PathNode>()): PathNode => ({
    id: nextId++,
    purpose,
    isEnd: false,
    names,
    anyName: undefined,
    items: new Map(),
    anyItem: undefined,
    namesOnly: undefined,
  });
  const finish = (node: PathNode): void => {
    for (const child of childrenOf(node)) finish(child);
    if (node.names.size === 0 && node.anyName === undefined) return;
    const isPlain = node.items.size === 0 && node.anyItem === undefined;
    node.namesOnly = isPlain ? node : createNode(node.purpose, node.names);
    node.namesOnly.anyName = node.anyName;
    node.namesOnly.namesOnly = node.namesOnly;
  };
  return (purpose, paths) => {
    const root = createNode(purpose);
    for (const steps of paths) {
      let node = root;
      for (const step of steps) node = grow(node, step, () => createNode(purpose));
      node.isEnd = true;
    }
    finish(root);
    return root;
  };
}

function childrenOf(node: PathNode): PathNode[] {
  const wild = [node.anyName, node.anyItem].filter((child) => child !== undefined);
  return [...node.names.values(), ...node.items.values(), ...wild];
}

function grow(node: PathNode, step: PathStep, create: () => PathNode): PathNode {
  if (step.kind === "name") return growIn(node.names, step.name, create);
  if (step.kind === "item") return growIn(node.items, step.index, create);
  if (step.kind === "any-name") return (node.anyName ??= create());
  return (node.anyItem ??= create());
}

function growIn<K>(children: Map<K, PathNode>, key: K, create: () => PathNode): PathNode {
  const child = children.get(key) ?? create();
  children.set(key, child);
  return child;
}

/** The nodes of the paths after a property; without a name: after a property that no path names. */
export function stepIntoName(nodes: readonly PathNode[], name?: string): PathNode[] {
  const next: PathNode[] = [];
  for (const node of nodes) {
    const child = name === undefined ? undefined : node.names.get(name);
    if (child !== undefined) next.push(child);
    if (node.anyName !== undefined) next.push(node.anyName);
  }
  return next;
}

/** The nodes of the paths after an array item; a path that names a property next enters the array implicitly. */
export function stepIntoItem(nodes: readonly PathNode[], index?: number): PathNode[] {
  const next: PathNode[] = [];
  for (const node of nodes) {
    const child = index === undefined ? undefined : node.items.get(index);
    for (const entered of [child, node.anyItem, node.namesOnly]) {
      if (entered !== undefined) next.push(entered);
    }
  }
  return next;
}
