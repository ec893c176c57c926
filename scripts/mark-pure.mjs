// Marks what a chunk computes while it loads as free of side effects, as package.json promises (`sideEffects: false`).
// That promise is about files: in a chunk of many modules a bundler needs it for each constant, or a page that takes
// one function of the root entry carries every schema of it.
import { parseAst } from "rolldown/parseAst";

const functions = new Set(["ArrowFunctionExpression", "FunctionExpression"]);

/** Whether every bundler sees for itself that an expression does nothing. */
function isPlain(node) {
  if (node === null || node.type === "Literal" || node.type === "Identifier" || functions.has(node.type))
    return true;
  if (node.type === "ArrayExpression") return node.elements.every(isPlain);
  if (node.type === "ObjectExpression") {
    return node.properties.every((one) => one.type === "Property" && !one.computed && isPlain(one.value));
  }
  if (node.type === "UnaryExpression") return isPlain(node.argument);
  return node.type === "TemplateLiteral" && node.expressions.length === 0;
}

/** A chunk's code in which each constant that is computed stands in a call that may be dropped. */
export function markPure(code) {
  const computed = parseAst(code)
    .body.filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations)
    .filter(({ id, init }) => id.type === "Identifier" && !isPlain(init));
  let marked = "";
  let end = 0;
  for (const { init } of computed) {
    marked += `${code.slice(end, init.start)}/* @__PURE__ */ (() => (${code.slice(init.start, init.end)}))()`;
    end = init.end;
  }
  return marked + code.slice(end);
}
