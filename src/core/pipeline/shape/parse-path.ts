import { ContractError } from "../../contract/contract-error.ts";

export type PathStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "any-name" }
  | { readonly kind: "item"; readonly index: number }
  | { readonly kind: "any-item" };

interface Source {
  readonly path: string;
  readonly option: string;
  at: number;
}

const INDEX = /^(?:0|[1-9]\d{0,14})$/;

/** Parses a filter path such as `tasks[*].id`; `option` names its list in the error for a bad path. */
export function parsePath(path: string, option = "path"): PathStep[] {
  const source: Source = { path, option, at: 0 };
  if (path === "$" || path.startsWith("$.") || path.startsWith("$[")) {
    throw badPath(source, 0, `"$" is not needed: a path starts at data. Quote a key of that name: ["$"]`);
  }
  const steps = [path.startsWith("[") ? readBracket(source) : readName(source)];
  while (source.at < path.length) steps.push(readNext(source));
  return steps;
}

function readNext(source: Source): PathStep {
  const char = source.path[source.at];
  if (char === "[") return readBracket(source);
  if (char !== ".") throw badPath(source, source.at, `"." or "[" is expected here`);
  source.at++;
  return readName(source);
}

function readName(source: Source): PathStep {
  const { path, at: start } = source;
  if (isQuote(path[start])) return { kind: "name", name: readQuoted(source) };
  while (source.at < path.length && !".[]".includes(path.charAt(source.at))) source.at++;
  const name = path.slice(start, source.at);
  if (name === "*") return { kind: "any-name" };
  if (name === "") throw badPath(source, start, "a name is missing here");
  if (name === "**")
    throw badPath(source, start, `"**" does not exist: excludeFields drops a name at every depth`);
  if (name.includes("*")) {
    throw badPath(
      source,
      start + name.indexOf("*"),
      `"*" must be a whole name: quote a key that contains it`,
    );
  }
  if (name !== name.trim())
    throw badPath(source, start, "a name has a blank at its edge: remove it, or quote the key");
  return { kind: "name", name };
}

function readBracket(source: Source): PathStep {
  const { path, at: start } = source;
  source.at++;
  if (isQuote(path[source.at])) {
    const name = readQuoted(source);
    if (path[source.at] !== "]") throw badPath(source, source.at, `"]" is missing after the quoted key`);
    source.at++;
    return { kind: "name", name };
  }
  const end = path.indexOf("]", start);
  if (end === -1) throw badPath(source, start, `"[" is never closed`);
  const inside = path.slice(start + 1, end);
  source.at = end + 1;
  if (inside === "*") return { kind: "any-item" };
  if (INDEX.test(inside)) return { kind: "item", index: Number(inside) };
  throw badPath(source, start, `brackets hold "*", an index such as 3, or a quoted key`);
}

/** A backslash takes the next character as it is. */
function readQuoted(source: Source): string {
  const { path, at: start } = source;
  const quote = path[start];
  let name = "";
  for (source.at++; source.at < path.length; source.at++) {
    const char = path.charAt(source.at);
    if (char === quote) {
      source.at++;
      return name;
    }
    if (char === "\\") source.at++;
    name += char === "\\" ? path.charAt(source.at) : char;
  }
  throw badPath(source, start, "the quoted key is never closed");
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'";
}

function badPath({ path, option }: Source, position: number, problem: string): ContractError {
  const message = `Bad path ${JSON.stringify(path)} in ${option}, position ${position}: ${problem}.`;
  return new ContractError("INVALID_OPTION", message, { option, path, position });
}

/**
 * What the end of a path means: `include` keeps it (exclusions still act below), `exclude` removes it, `rescue` keeps
 * it despite every exclusion.
 */
type PathPurpose = "include" | "exclude" | "rescue";

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
