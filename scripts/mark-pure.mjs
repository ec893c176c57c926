// Marks what a chunk computes while it loads as free of side effects, as package.json promises (`sideEffects: false`).
// That promise is about files: in a chunk of many modules a bundler needs it for each constant, or a page that takes
// one function of the root entry carries every schema of it.
import { parseAst } from "rolldown/parseAst";

const PURE = "/* @__PURE__ */ ";
const harmless = new Set(["ArrowFunctionExpression", "FunctionExpression", "Identifier", "Literal"]);

/** Whether it is a name, or a name's property: `z.object`. A comment before a chain of calls would mark only one. */
function isName({ type, object, computed }) {
  return type === "Identifier" || (type === "MemberExpression" && !computed && isName(object));
}

/**
 * Where marks have to stand, so that every bundler sees that an expression does nothing. Undefined where marks are not
 * enough: a property may be a getter, and so may what is spread.
 */
function marksFor(node) {
  if (node === null || harmless.has(node.type)) return [];
  if (node.type === "ArrayExpression") return marksForAll(node.elements);
  if (node.type === "UnaryExpression") return marksFor(node.argument);
  if (node.type === "TemplateLiteral") return node.expressions.length === 0 ? [] : undefined;
  if (node.type === "ObjectExpression") {
    const isListed = node.properties.every(({ type, computed }) => type === "Property" && !computed);
    return isListed ? marksForAll(node.properties.map(({ value }) => value)) : undefined;
  }
  if ((node.type !== "CallExpression" && node.type !== "NewExpression") || !isName(node.callee))
    return undefined;
  const inner = marksForAll(node.arguments);
  return inner === undefined ? undefined : [node.start, ...inner];
}

function marksForAll(nodes) {
  const marks = nodes.map(marksFor);
  return marks.includes(undefined) ? undefined : marks.flat();
}

/** What to insert for a constant's value: marks, or a call around it that is marked. */
function insertions(init) {
  const marks = marksFor(init);
  if (marks !== undefined) return marks.map((at) => [at, PURE]);
  return [
    [init.start, `${PURE}(() => (`],
    [init.end, "))()"],
  ];
}

/** A chunk's code in which each constant that is computed may be dropped. */
export function markPure(code) {
  const added = parseAst(code)
    .body.filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations)
    .filter(({ id, init }) => id.type === "Identifier" && init !== null)
    .flatMap(({ init }) => insertions(init));
  let marked = "";
  let end = 0;
  for (const [at, text] of added) {
    marked += code.slice(end, at) + text;
    end = at;
  }
  return marked + code.slice(end);
}
