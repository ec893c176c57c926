// Marks what a chunk computes while it loads as free of side effects, as package.json promises (`sideEffects: false`).
// That promise is about files: in a chunk of many modules a bundler needs it for each constant, or a page that takes
// one function of the root entry carries every schema of it.
import { parseAst } from "rolldown/parseAst";

const PURE = "/* @__PURE__ */ ";
const harmless = new Set(["ArrowFunctionExpression", "FunctionExpression", "Identifier", "Literal"]);

/** Whether it is a name, a name's property, or such a property of a call's result: `z.object`, `z.string().check`. */
function isName({ type, object, computed, callee }) {
  if (type === "MemberExpression") return !computed && isName(object);
  return type === "Identifier" || (type === "CallExpression" && isName(callee));
}

/** A class whose making does nothing: it extends nothing that is computed, and has no static part that is. */
function isPlainClass({ superClass, body }) {
  const isPlainMember = (member) =>
    member.type !== "StaticBlock" &&
    !member.computed &&
    !(member.static && member.type === "PropertyDefinition");
  return superClass === null && body.body.every(isPlainMember);
}

/**
 * Where marks have to be, so that every bundler sees that an expression does nothing. Undefined where marks are not
 * enough: a property may be a getter, and so may what is spread.
 */
function marksFor(node) {
  if (node === null || harmless.has(node.type)) return [];
  if (node.type === "ClassExpression") return isPlainClass(node) ? [] : undefined;
  if (node.type === "BinaryExpression") return isNumber(node) ? [] : undefined;
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

function isNumber({ type, value, left, right }) {
  if (type === "BinaryExpression") return isNumber(left) && isNumber(right);
  return type === "Literal" && typeof value === "number";
}

function marksForAll(nodes) {
  const marks = nodes.map(marksFor);
  return marks.includes(undefined) ? undefined : marks.flat();
}

/** What to insert for a constant's value: marks, or a call around it that is marked. A class keeps its name. */
function insertions({ id, init }) {
  const marks = marksFor(init);
  if (marks !== undefined) return marks.map((at) => [at, PURE]);
  const isNameless = init.type === "ClassExpression" && init.id === null;
  return [
    [init.start, `${PURE}(() => (`],
    ...(isNameless ? [[init.start + "class".length, ` ${id.name}`]] : []),
    [init.end, "))()"],
  ];
}

/** A chunk's code in which each constant that is computed may be dropped. */
export function markPure(code) {
  const added = parseAst(code)
    .body.filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations)
    .filter(({ id, init }) => id.type === "Identifier" && init !== null)
    .flatMap(insertions);
  let marked = "";
  let end = 0;
  for (const [at, text] of added) {
    marked += code.slice(end, at) + text;
    end = at;
  }
  return marked + code.slice(end);
}
