import { didYouMean } from "../text/did-you-mean.ts";
import { type ExpressionNode, type NodeOf, partsOf } from "./expression-node.ts";
import { arityOf, functionNames, functionSignatures, parametersOf } from "./function-signatures.ts";
import { Mistake } from "./mistake.ts";
import { wordsFor } from "./value-kinds.ts";

/** What other languages call a function that is here under another name, or written without one. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  add: "sum",
  any: "length([?condition]) > 0",
  average: "avg",
  concat: "join('', list)",
  count: "length",
  distinct: "unique",
  entries: "items",
  filter: "[?condition]",
  first: "list[0]",
  flatten: "list[]",
  from_entries: "from_items",
  includes: "contains",
  last: "list[-1]",
  limit: "list[:10]",
  lowercase: "lower",
  mean: "avg",
  regex_match: "matches",
  select: "[?condition]",
  size: "length",
  substring: "text[0:10]",
  test: "matches",
  to_entries: "items",
  to_lower: "lower",
  to_upper: "upper",
  tonumber: "to_number",
  tostring: "to_string",
  uniq: "unique",
  uppercase: "upper",
};

/** What the parser lets pass and no data can make right. Throws a `Mistake`. */
export function checkParts(node: ExpressionNode, variables: ReadonlySet<string> = new Set()): void {
  const pending: { readonly node: ExpressionNode; readonly variables: ReadonlySet<string> }[] = [
    { node, variables },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node: part, variables: known } = next;
    checkPart(part, known);
    if (part.type === "LetExpression") {
      const inner = new Set([...known, ...part.bindings.map(({ variable }) => variable)]);
      pending.push({ node: part.expression, variables: inner });
      for (const { reference } of part.bindings) pending.push({ node: reference, variables: known });
      continue;
    }
    for (const inner of partsOf(part)) {
      const isArgument = part.type === "Function" && inner.type === "ExpressionReference";
      pending.push({ node: isArgument ? inner.child : inner, variables: known });
    }
  }
}

function checkPart(node: ExpressionNode, known: ReadonlySet<string>): void {
  if (node.type === "Function") checkCall(node);
  if (node.type === "Binding") throw new Mistake("one = sets a variable after `let`; to compare, write ==");
  if (node.type === "ExpressionReference")
    throw new Mistake("& stands only in front of an argument of a function, as in sort_by(@, &name)");
  if (node.type === "Variable" && !known.has(node.name))
    throw new Mistake(`$${node.name} is not known: set it with let $${node.name} = … in …`);
  if (node.type === "Slice" && node.step === 0) throw new Mistake("the step of a slice cannot be 0");
}

function checkCall({ name, children }: NodeOf<"Function">): void {
  const parameters = parametersOf(name);
  if (parameters === undefined) throw new Mistake(sayUnknown(name));
  const { least, most } = arityOf(parameters);
  if (children.length < least || children.length > most)
    throw new Mistake(
      `${signatureOf(name)} takes ${sayArity(least, most)}, and ${children.length === 1 ? "1 was" : `${children.length} were`} given`,
    );
  children.forEach((child, index) => {
    const kinds = (parameters[index] ?? parameters.at(-1))?.kinds ?? [];
    const takesExpression = kinds.includes("expression");
    if (takesExpression === (child.type === "ExpressionReference")) return;
    throw new Mistake(
      takesExpression
        ? `argument ${index + 1} of ${signatureOf(name)} is an expression: write & in front of it`
        : `argument ${index + 1} of ${signatureOf(name)} is ${wordsFor(kinds)}: leave out the &`,
    );
  });
}

function sayUnknown(name: string): string {
  const other = Object.hasOwn(OTHER_NAMES, name.toLowerCase()) ? OTHER_NAMES[name.toLowerCase()] : undefined;
  const meant = other ?? didYouMean(name, functionNames);
  return meant === undefined
    ? `there is no function ${name}(); there are ${functionNames.join(", ")}`
    : `there is no function ${name}(): did you mean ${meant}?`;
}

function sayArity(least: number, most: number): string {
  const count =
    least === most ? `${least}` : Number.isFinite(most) ? `${least} to ${most}` : `at least ${least}`;
  return `${count} argument${count === "1" ? "" : "s"}`;
}

/** A function as it is written: `sort_by(array, &expression)`. */
export function signatureOf(name: string): string {
  const signature = Object.hasOwn(functionSignatures, name)
    ? functionSignatures[name as keyof typeof functionSignatures]
    : "";
  return `${name}(${signature.replaceAll("expression", "&expression").replaceAll("*", "…")})`;
}
