// The parser's own reading assigns to a key `__proto__`, and so changes every object of the process. This one builds
// objects without a prototype: there `__proto__` is a key as any other.

import type { AST } from "toml-eslint-parser";

type Table = Record<string, unknown>;

const newTable = (): Table => Object.create(null) as Table;

/** What a TOML text says. */
export function tomlValue(program: AST.TOMLProgram): Readonly<Table> {
  const root = newTable();
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") setPair(root, node);
    else {
      const table = tableAt(root, node.resolvedKey);
      for (const pair of node.body) setPair(table, pair);
    }
  }
  return root;
}

/** The keys of a dotted key, as they are meant: without quotes. */
export function keysOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}

function setPair(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const path = keysOf(key);
  tableAt(table, path.slice(0, -1))[path.at(-1) ?? ""] = contentValue(value);
}

function contentValue(node: AST.TOMLContentNode): unknown {
  if (node.type === "TOMLValue") return node.value;
  if (node.type === "TOMLArray") return node.elements.map(contentValue);
  const table = newTable();
  for (const pair of node.body) setPair(table, pair);
  return table;
}

/** The table at a path, made where it is not there yet. A number is a place in a list of tables. */
function tableAt(root: Table, path: readonly (string | number)[]): Table {
  return path.reduce<Table>((holder, key, index) => {
    holder[key] ??= typeof path[index + 1] === "number" ? [] : newTable();
    return holder[key] as Table;
  }, root);
}
