// What the built files use of Zod, as the source of a module that exports this and no more. A bundler cannot tell by
// itself: the files are built before, and import Zod by the name `#zod`.
import { parseAst } from "rolldown/parseAst";

const namespaceImport = /^import \* as (\S+) from "#zod";$/m;

/** Every `z.string` and `z.core.$ZodObject` below a node, as a path of names. */
function* membersOf(node, name) {
  if (node === null || typeof node !== "object") return;
  const path = node.type === "MemberExpression" ? pathOf(node, name) : undefined;
  if (path !== undefined) yield path;
  else for (const inner of Object.values(node)) yield* membersOf(inner, name);
}

function pathOf({ type, object, property, computed }, name) {
  if (type !== "MemberExpression" || computed) return undefined;
  if (object.type === "Identifier") return object.name === name ? [property.name] : undefined;
  const path = pathOf(object, name);
  return path === undefined ? undefined : [...path, property.name];
}

/** The module's source. Of the namespaces in Zod (`core`, `iso`) it takes single names too. */
export function sourceOfUsed(codes, zod) {
  const taken = new Map();
  for (const code of codes) {
    const [, name] = namespaceImport.exec(code) ?? [];
    if (name === undefined) continue;
    for (const [first, second] of membersOf(parseAst(code), name)) {
      const inner = taken.get(first) ?? taken.set(first, new Set()).get(first);
      if (isNamespace(zod[first])) inner.add(second);
    }
  }
  const lines = [...taken].map(([first, inner]) => {
    if (inner.size === 0) return `export { ${first} } from "zod/mini";`;
    const members = [...inner].map((second) => `${second}: z.${first}.${second}`);
    return `export const ${first} = { ${members.join(", ")} };`;
  });
  return ['import * as z from "zod/mini";', ...lines].join("\n");
}

function isNamespace(value) {
  return value?.[Symbol.toStringTag] === "Module";
}
