import type { JsonValue } from "../../../core/json/json-value.ts";
import { type UnlikePair, isNumericText } from "./compared-types.ts";
import { writeKey } from "./example-question.ts";
import type { ExpressionNode, NodeOf } from "./expression-node.ts";
import { typeOf } from "./value-kinds.ts";

const SIGNS: Record<NodeOf<"Comparator">["name"], string> = {
  EQ: "==",
  NE: "!=",
  GT: ">",
  GTE: ">=",
  LT: "<",
  LTE: "<=",
};

const WORDS = {
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
} as const;

const MAX_LENGTH = 60;

/** A short part of an expression as it is written; undefined for one that is not short. */
function written(node: ExpressionNode): string | undefined {
  const text = writeNode(node);
  return text === undefined || text.length > MAX_LENGTH ? undefined : text;
}

function writeNode(node: ExpressionNode): string | undefined {
  if (node.type === "Field") return writeKey(node.name);
  if (node.type === "Current") return "@";
  if (node.type === "Literal") return writeLiteral(node.value);
  if (node.type !== "Subexpression") return undefined;
  const [left, right] = [writeNode(node.left), writeNode(node.right)];
  return left === undefined || right === undefined ? undefined : `${left}.${right}`;
}

function writeLiteral(value: JsonValue): string {
  if (typeof value === "string") return `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
  return typeof value === "object" ? `\`${JSON.stringify(value).replaceAll("`", "\\`")}\`` : String(value);
}

/** One side of a comparison. */
interface Side {
  readonly text: string;
  readonly value: JsonValue;
  readonly isLiteral: boolean;
}

/** What the side is compared as, so that it has the type of the other; undefined where nothing helps. */
function convert({ text, value, isLiteral }: Side, other: Side): string | undefined {
  const isForNumber = typeof other.value === "number" || isNumericText(other.value);
  if (isNumericText(value) && isForNumber) return isLiteral ? String(Number(value)) : `to_number(${text})`;
  const isWord = isLiteral && typeof value === "string" && /^(?:true|false)$/i.test(value);
  return isWord && typeof other.value === "boolean" ? value.toLowerCase() : undefined;
}

function advise(name: NodeOf<"Comparator">["name"], left: Side, right: Side): string | undefined {
  if (Array.isArray(left.value) && (name === "EQ" || name === "NE"))
    return `${name === "NE" ? "!" : ""}contains(${left.text}, ${right.text})`;
  if (typeof left.value === "object" || typeof right.value === "object") return undefined;
  const [first, second] = [convert(left, right), convert(right, left)];
  if (first === undefined && second === undefined) return undefined;
  return `${first ?? left.text} ${SIGNS[name]} ${second ?? right.text}`;
}

/** What to know about a comparison that never met two values of one type, in one sentence. */
export function noteComparison({ node, left, right }: UnlikePair): string {
  const side = (part: ExpressionNode, value: JsonValue, otherwise: string): Side => ({
    text: written(part) ?? otherwise,
    value,
    isLiteral: part.type === "Literal",
  });
  const first = side(node.left, left, "the left side");
  const second = side(node.right, right, "the right side");
  const isKnown = written(node.left) !== undefined && written(node.right) !== undefined;
  const example = isKnown ? advise(node.name, first, second) : undefined;
  const areTexts = typeof left === "string" && typeof right === "string";
  const said = areTexts
    ? `${first.text} and ${second.text} are compared as text`
    : `${first.text} is ${WORDS[typeOf(left)]} and ${second.text} is ${WORDS[typeOf(right)]}, so ${SIGNS[node.name]} ${node.name === "NE" ? "always" : "never"} holds`;
  return `In the expression, ${said}${example === undefined ? "." : `: write ${example}`}`;
}
