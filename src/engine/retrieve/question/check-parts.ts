import { didYouMean } from "../../../core/text/did-you-mean.ts";
import { writeKey } from "./example-question.ts";
import { type ExpressionNode, type NodeOf, Mistake, partsOf } from "./expression-node.ts";
import {
  arityOf,
  functionNames,
  functionSignatures,
  parametersOf,
  toTime,
  wordsFor,
} from "./function-signatures.ts";
import type { ParsedExpression } from "./parse-expression.ts";

/** Names in other languages of functions that have another name here, or that are written without a function. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
    len: "length",
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
  }),
);

/** Mistakes that the parser accepts and that are wrong for any data. Throws a `Mistake`. */
export function checkParts({ node, placeOf }: ParsedExpression): void {
  const pending: { readonly node: ExpressionNode; readonly known: ReadonlySet<string> }[] = [
    { node, known: new Set() },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node: part, known } = next;
    checkPart(part, known, placeOf);
    if (part.type === "LetExpression") {
      if (!part.bindings.every(({ type, variable }) => type === "Binding" && typeof variable === "string"))
        throw new Mistake("between `let` and `in` come variables with their values: let $a = b, $c = d in …");
      const inner = new Set([...known, ...part.bindings.map(({ variable }) => variable)]);
      pending.push({ node: part.expression, known: inner });
      for (const { reference } of part.bindings) pending.push({ node: reference, known });
      continue;
    }
    for (const inner of partsOf(part)) {
      const isArgument = part.type === "Function" && inner.type === "ExpressionReference";
      pending.push({ node: isArgument ? inner.child : inner, known });
    }
  }
}

type PlaceOf = ParsedExpression["placeOf"];

function checkPart(node: ExpressionNode, known: ReadonlySet<string>, placeOf: PlaceOf): void {
  if (node.type === "Function") checkCall(node, placeOf);
  if (node.type === "Binding")
    throw new Mistake("one = sets a variable after `let`; to compare, write ==", placeOf(node));
  if (node.type === "ExpressionReference")
    throw new Mistake(
      "& is written only in front of an argument of a function, as in sort_by(@, &name)",
      placeOf(node),
    );
  if (node.type === "Variable" && !known.has(node.name))
    throw new Mistake(`$${node.name} is not known: set it with let $${node.name} = … in …`, placeOf(node));
  if (node.type === "Slice" && node.step === 0)
    throw new Mistake("the step of a slice cannot be 0", placeOf(node));
}

function checkCall(node: NodeOf<"Function">, placeOf: PlaceOf): void {
  const { name, children } = node;
  const parameters = parametersOf(name);
  if (parameters === undefined) throw unknownFunction(name, placeOf(node));
  const { least, most } = arityOf(parameters);
  if (children.length < least || children.length > most)
    throw new Mistake(
      `${signatureOf(name)} takes ${sayArity(least, most)}, and ${children.length === 1 ? "1 was" : `${children.length} were`} given`,
      placeOf(node),
    );
  children.forEach((child, index) => {
    const kinds = (parameters[index] ?? parameters.at(-1))?.kinds ?? [];
    const takesExpression = kinds.includes("expression");
    if (name === "after" || name === "before") checkDate(child, placeOf);
    if (takesExpression && name.endsWith("_by")) checkKey(child, name, placeOf);
    if (takesExpression === (child.type === "ExpressionReference")) return;
    const place = placeOf(child);
    const argument = `argument ${index + 1} of ${signatureOf(name)}`;
    if (takesExpression)
      throw new Mistake(
        `${argument} is an expression: write & in front of it`,
        place,
        place === undefined ? undefined : { at: place, remove: 0, insert: "&" },
      );
    throw new Mistake(
      `${argument} is ${wordsFor(kinds)}: leave out the &`,
      place,
      place === undefined ? undefined : { at: place, remove: 1, insert: "" },
    );
  });
}

/** A wrong date in the question itself is wrong for every record. */
function checkDate(node: ExpressionNode, placeOf: PlaceOf): void {
  if (node.type !== "Literal" || typeof node.value !== "string" || toTime(node.value) !== null) return;
  const place = placeOf(node);
  const edit =
    place === undefined ? undefined : { at: place, remove: "quote" as const, insert: "'2026-01-31'" };
  throw new Mistake("it is no date: one is written as '2026-01-31' or '2026-01-31T09:00:00Z'", place, edit);
}

/** A literal text cannot be a key: every record would have the same one. */
function checkKey(argument: ExpressionNode, name: string, placeOf: PlaceOf): void {
  const node = argument.type === "ExpressionReference" ? argument.child : argument;
  if (node.type !== "Literal" || typeof node.value !== "string") return;
  const place = placeOf(node);
  const key = writeKey(node.value);
  const edit =
    place === undefined
      ? undefined
      : { at: place, remove: "quote" as const, insert: `${argument === node ? "&" : ""}${key}` };
  throw new Mistake(
    `${name}() wants a key, and a text is the same for every record: write &${key}`,
    place,
    edit,
  );
}

/** All of them would cost more than most answers. */
const OFTEN_USED = ["length", "count_by", "group_by", "sort_by", "top_by", "sum", "contains", "matches"];

function unknownFunction(name: string, place: number | undefined): Mistake {
  const other = OTHER_NAMES.get(name.toLowerCase());
  const meant = other ?? didYouMean(name, functionNames);
  if (meant === undefined) {
    const others = functionNames.length - OFTEN_USED.length;
    const there = `there are ${OFTEN_USED.join(", ")} and ${others} others`;
    return new Mistake(`there is no function ${name}(); ${there}`, place);
  }
  const edit = place === undefined ? undefined : { at: place, remove: name.length, insert: meant };
  return new Mistake(`there is no function ${name}(); did you mean ${meant}?`, place, edit);
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
