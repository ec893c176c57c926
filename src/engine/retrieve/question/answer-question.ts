import type { JsonValue } from "../../../core/json/json-value.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { type CheckedExpression, checkExpression } from "./check-expression.ts";
import { Evaluation } from "./evaluate.ts";
import { type MissedKey, Meter } from "./meter.ts";
import { explainFailure, explainMissedKeys, explainText, knownOf, noteMissedKeys } from "./explain.ts";
import type { QuestionAnswer } from "./question.ts";
import { unwrapped } from "./questioned-value.ts";
import { ReadNotes } from "./read-json.ts";
import { type ExpressionNode, partsOf, type NodeOf } from "./expression-node.ts";
import { type UnlikePair, isNumericText } from "./compare-values.ts";
import { writeKey } from "./example-question.ts";
import { typeOf } from "./function-signatures.ts";

/**
 * Evaluates an expression on a value. Throws a `ToolFault` if the expression is wrong, does not fit the value
 * or makes too much of it. The larger the value, the more may be made.
 */
export function answerQuestion(
  value: JsonValue,
  expression: string,
  inputBytes: number,
  notes: ReadNotes = new ReadNotes(),
): QuestionAnswer {
  const { inner, around } = unwrapped(value, notes);
  const checked = checkExpression(expression, () => knownOf(inner));
  const meter = (): Meter => new Meter(inputBytes, notes);
  if (around === undefined || !expression.includes(around.key)) return evaluate(inner, checked, meter());
  // The reader sees the wrapping object too, and may start the expression with its key.
  const first = attempt(inner, checked, meter());
  if (!misses(first, around.key)) return settle(first);
  const second = attempt(around.value, checked, meter());
  return settle("error" in second || misses(second, around.key) ? first : second);
}

type Attempt =
  | { readonly answer: QuestionAnswer; readonly missed: readonly MissedKey[] }
  | { readonly error: unknown; readonly missed: readonly MissedKey[] };

function evaluate(value: JsonValue, checked: CheckedExpression, meter: Meter): QuestionAnswer {
  return settle(attempt(value, checked, meter));
}

function attempt(value: JsonValue, checked: CheckedExpression, meter: Meter): Attempt {
  const evaluation = new Evaluation(value, meter);
  try {
    const answer = evaluation.run(checked.node);
    const missed = evaluation.missedKeys();
    const fault = explainMissedKeys(isNothing(answer), { missed, value, checked });
    if (fault !== undefined) return { error: fault, missed };
    const askedText = evaluation.askedText();
    if (answer === null && askedText !== undefined)
      return { error: explainText(askedText, value, checked), missed };
    const [unlike] = evaluation.unlikePairs();
    const notes = [
      noteMissedKeys(missed, checked),
      unlike && noteComparison(unlike),
      noteEscapes(checked.node),
      ...meter.notes.said,
    ];
    const note = notes.filter((text) => text !== undefined).join(" ") || undefined;
    return { answer: { value: answer, records: countRecords(value), note }, missed };
  } catch (error) {
    const missed = evaluation.missedKeys();
    return { error: explainFailure(error, { missed, value, checked }), missed };
  }
}

function misses({ missed }: Attempt, key: string): boolean {
  return missed.some(({ node }) => node.name === key);
}

function settle(made: Attempt): QuestionAnswer {
  if ("error" in made) throw made.error;
  return made.answer;
}

function isNothing(answer: JsonValue): boolean {
  return answer === null || (Array.isArray(answer) && answer.length === 0);
}

function countRecords(value: JsonValue): number {
  return mainCollection(value)?.items.length ?? 1;
}

/** Functions of plain texts; a pattern of matches() has escapes of its own. */
const PLAIN: ReadonlySet<string> = new Set([
  "contains",
  "ends_with",
  "find_first",
  "find_last",
  "join",
  "replace",
  "split",
  "starts_with",
]);

/** JMESPath has no escapes between single quotes: `'\n'` is a backslash and an n, which is hardly ever meant. */
function noteEscapes(node: ExpressionNode): string | undefined {
  const pending = [node];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    pending.push(...partsOf(part));
    if (part.type !== "Function" || !PLAIN.has(part.name)) continue;
    for (const argument of part.children) {
      const text = argument.type === "Literal" ? argument.value : undefined;
      const [escape] = typeof text === "string" ? (/\\[nrt]/.exec(text) ?? []) : [];
      if (escape !== undefined)
        return `In the expression, '${escape}' is a backslash and a letter: write \`"${escape}"\` for the one character.`;
    }
  }
  return undefined;
}

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

/** A short part of an expression as it is written; undefined if it is not short. */
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

/** How to write the side so that it has the type of the other; undefined if nothing helps. */
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

/** One sentence about a comparison that never met two values of one type. */
function noteComparison({ node, left, right }: UnlikePair): string {
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
