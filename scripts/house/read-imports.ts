import { parseAst } from "vite";
import { childrenOf, isNode, type Node } from "../walk/syntax-tree.ts";

/** `static` is loaded with the file, `dynamic` when it is first needed, `type` never. */
const importKinds = ["static", "dynamic", "type"] as const;
export type ImportKind = (typeof importKinds)[number];

export interface Import {
  /** As it is written; absent where it is computed when the program runs. */
  readonly specifier: string;
  readonly kind: ImportKind;
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "TSLiteralType") return textOf(node["literal"]);
  return typeof node["value"] === "string" ? node["value"] : undefined;
}

/** An import that takes at least one thing, and types alone. */
function takesOnlyTypes(node: Node): boolean {
  if (node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const { specifiers } = node;
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every(
    (one: unknown) => isNode(one) && (one["importKind"] === "type" || one["exportKind"] === "type"),
  );
}

function importOf(node: Node): Import | undefined {
  const specifier = textOf(node["source"]);
  if (specifier === undefined) return undefined;
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return { specifier, kind: takesOnlyTypes(node) ? "type" : "static" };
    case "ImportExpression":
      return { specifier, kind: "dynamic" };
    case "TSImportType":
      return { specifier, kind: "type" };
    default:
      return undefined;
  }
}

/** Everything that a TypeScript file imports or passes on, in order, read from its syntax tree. */
export function readImports(source: string): Import[] {
  const found: Import[] = [];
  const visit = (node: Node): void => {
    const one = importOf(node);
    if (one !== undefined) found.push(one);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(source, { lang: "ts" }) as unknown as Node);
  return found;
}
