// Turns a failed question into a fault that helps to ask it right: the place, what is there, and an example that fits.

import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import { didYouMean } from "../../../core/text/did-you-mean.ts";
import { quoteName, sayName, sayNames } from "../../../core/text/say-name.ts";
import { FunctionFailed } from "./call-function.ts";
import { type CheckedExpression, type KnownValue, checkExpression } from "./check-expression.ts";
import { signatureOf } from "./check-parts.ts";
import { type MissedKey, Meter, OverLimit } from "./meter.ts";
import { exampleQuestion, pathTo, writeKey } from "./example-question.ts";
import { type ExpressionNode, applyEdit, partsOf } from "./expression-node.ts";
import { NotANumber } from "./compare-values.ts";
import { describeAnswerValue, wordsFor } from "./function-signatures.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { Evaluation } from "./evaluate.ts";

/** The most keys that are shown; an object may be a map of thousands. */
const MAX_KEYS = 30;
const MAX_KEY_LENGTH = 100;

function keysThere(object: JsonObject): JsonObject {
  const shown: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object).slice(0, MAX_KEYS))
    setOwn(shown, key.slice(0, MAX_KEY_LENGTH), describeAnswerValue(value));
  return shown;
}

/** What is known of a value, to explain mistakes that are found before evaluation. */
export function knownOf(value: JsonValue): KnownValue {
  return {
    firstAnswered: (candidates) => firstAnswered(value, candidates),
    example: exampleQuestion(value),
    details: placeIn(value),
  };
}

/** The keys or the kind of the value itself, if no better place is known. */
function placeIn(value: JsonValue): JsonObject {
  const record = Array.isArray(value) ? (value as readonly JsonValue[]).find(isJsonObject) : value;
  return isJsonObject(record) ? { keys: keysThere(record) } : { value: describeAnswerValue(value) };
}

function meantBy({ node: { name }, where }: MissedKey): string | undefined {
  return isJsonObject(where) ? didYouMean(name, Object.keys(where)) : undefined;
}

function sayMissed(missed: MissedKey): string {
  const name = quoteName(missed.node.name);
  if (Array.isArray(missed.where))
    return `${name} is asked of a list, and a list has no keys; [*] in front of it asks every item`;
  if (!isJsonObject(missed.where))
    return `${name} is asked of a ${describeAnswerValue(missed.where)}, which has no keys`;
  const known = Object.keys(missed.where);
  const meant = meantBy(missed);
  if (meant !== undefined) return `there is no key ${name}; did you mean ${sayName(meant)}?`;
  const there =
    known.length === 0
      ? "the object there is empty"
      : `the keys there are ${sayNames(known.slice(0, MAX_KEYS))}${known.length > MAX_KEYS ? ", …" : ""}`;
  return `there is no key ${name}; ${there}`;
}

function whatIsThere({ node, where }: MissedKey): JsonObject {
  const missing = node.name.slice(0, MAX_KEY_LENGTH);
  return isJsonObject(where)
    ? { missing, keys: keysThere(where) }
    : { missing, value: describeAnswerValue(where) };
}

/** What is known when a question fails. */
interface Failed {
  readonly missed: readonly MissedKey[];
  readonly value: JsonValue;
  readonly checked: CheckedExpression;
}

function adviceFor(value: JsonValue, example: string | undefined): string {
  if (example !== undefined) return `Correct it and ask again, for example: ${example}`;
  if (typeof value !== "string") return "Correct it and ask again.";
  return "It is a text, and no JSON: read it by lines or grep, or with functions of texts such as length(@).";
}

function wrong(
  said: string,
  node: ExpressionNode,
  { missed, value, checked }: Failed,
  more: JsonObject = {},
): ToolFault {
  const [first] = missed;
  const cause = first === undefined || node === first.node ? "" : `; ${sayMissed(first)}`;
  const example =
    firstAnswered(value, first === undefined ? withNumbers(node, checked) : mendings(first, checked)) ??
    exampleQuestion(value);
  const position = checked.placeOf(node);
  const where = position === undefined ? "" : ` at character ${position + 1}`;
  const message = `The expression does not fit the result${where}: ${said}${cause}`;
  return new ToolFault(message.endsWith("?") ? message : `${message}.`, {
    errorCode: "INVALID_FORMAT",
    remediation: adviceFor(value, example),
    details: {
      reason: "wrong_expression",
      ...(position === undefined ? {} : { position: position + 1 }),
      ...more,
      ...(first === undefined ? placeIn(value) : whatIsThere(first)),
      ...(example === undefined ? {} : { example }),
    },
  });
}

/**
 * A missing key that leaves nothing to answer, or a sort, group or sum of nothing; undefined if the answer is
 * useful.
 */
export function explainMissedKeys(
  isNothing: boolean,
  { missed, value, checked }: Failed,
): ToolFault | undefined {
  const first = missed.find(({ isCondition, isForEach }) => !isCondition && (isNothing || isForEach));
  return first && wrong(sayMissed(first), first.node, { missed: [first], value, checked });
}

/** For a question that asks for the items of a text, such as a log with one JSON in each line. */
export function explainText(node: ExpressionNode, value: JsonValue, checked: CheckedExpression): ToolFault {
  const said = "items are asked of a text, which is no list";
  return wrong(said, node, { missed: [], value, checked }, { missing: "[]" });
}

/** A note for an answer whose question uses a key that no record has. */
export function noteMissedKeys(
  missed: readonly MissedKey[],
  { placeOf }: CheckedExpression,
): string | undefined {
  const [first] = missed;
  if (first === undefined) return undefined;
  const place = placeOf(first.node);
  const where = place === undefined ? "" : ` at character ${place + 1}`;
  const said = `In the expression${where}: ${sayMissed(first)}`;
  const isText = first.isCompared ? " Text to compare with is written between single quotes." : "";
  return `${said}${said.endsWith("?") ? "" : "."}${isText}`;
}

/** Any failure of a question as a `ToolFault`. */
export function explainFailure(error: unknown, failed: Failed): unknown {
  if (error instanceof FunctionFailed) {
    const { node, mismatch, message } = error;
    const said =
      mismatch === undefined
        ? `${node.name}(): ${message}`
        : `argument ${mismatch.index + 1} of ${signatureOf(node.name)} must be ${wordsFor(mismatch.kinds)}, and it is ${mismatch.given}`;
    return wrong(said, node, failed, { function: signatureOf(node.name) });
  }
  if (error instanceof NotANumber) return wrong(error.message, error.node, failed);
  return explainLimit(error);
}

/** An exceeded limit as a `ToolFault`; any other failure unchanged. */
export function explainLimit(error: unknown): unknown {
  // A RangeError is a full stack (the value, or the expression's result, is too deep) or a text longer than any can be.
  if (!(error instanceof OverLimit || error instanceof RangeError)) return error;
  return new ToolFault("The question makes more than an answer may hold.", {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: filter first, take fewer fields, or count.",
    details: { reason: error instanceof OverLimit ? error.reason : "too_deep_or_long" },
  });
}

/** Each is evaluated on the whole value, which may be large: after this time no further one is tried. */
const MAX_MS = 500;

/** An expression that is true or false for a record. */
const CONDITION = /^!?(?:matches|contains|starts_with|ends_with|after|before)\(|^[\w."]+ *(?:[=!]=|[<>])/;

/** Whether an expression gives an answer: neither a fault nor null, and every key exists. */
function hasAnswer(value: JsonValue, expression: string): boolean {
  try {
    const { node } = checkExpression(expression);
    const evaluation = new Evaluation(value, new Meter(0));
    const answer = evaluation.run(node);
    // The sum of values that are not numbers is 0.
    if (answer === null || (answer === 0 && expression.includes("to_number("))) return false;
    if (Array.isArray(answer) && answer.length === 0 && !expression.includes("[?")) return false;
    return evaluation.missedKeys().length === 0;
  } catch {
    return false;
  }
}

/** The expression itself, and the expression for each item of the value's main list: as a field or as a condition. */
function variantsOf(expression: string, value: JsonValue): readonly string[] {
  const main = mainCollection(value);
  if (main === undefined) return [expression];
  const list = pathTo(main.pointer);
  const [each, where] = [`${list}[*].${expression}`, `${list}[?${expression}]`];
  return CONDITION.test(expression) ? [expression, where] : [expression, each];
}

/** The first candidate that has an answer; an expression that was not tried is never shown. */
function firstAnswered(value: JsonValue, candidates: Iterable<string | undefined>): string | undefined {
  const end = Date.now() + MAX_MS;
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    for (const variant of variantsOf(candidate, value)) {
      if (hasAnswer(value, variant)) return variant;
      if (Date.now() > end) return undefined;
    }
  }
  return undefined;
}

// Possible meanings of a question that did not fit. Each is tried before it is shown.

const LENGTHS: ReadonlySet<string> = new Set(["length", "count", "size"]);

/** With another key, or with the question to a list applied to its items. */
function* mendings({ node, where }: MissedKey, { text, placeOf }: CheckedExpression): Generator<string> {
  const at = placeOf(node);
  if (at === undefined) return;
  const written = [JSON.stringify(node.name), node.name].find((key) => text.startsWith(key, at));
  if (written === undefined) return;
  const isBehindDot = text[at - 1] === ".";
  if (LENGTHS.has(node.name)) yield* lengths(text, at, written.length);
  if (isJsonObject(where)) {
    // A key with a minus is read as a subtraction unless it is quoted.
    const [whole = ""] = /^\w+(?:-\w+)+/.exec(text.slice(at)) ?? [];
    if (Object.hasOwn(where, whole))
      yield applyEdit(text, { at, remove: whole.length, insert: JSON.stringify(whole) });
    const meant = didYouMean(node.name, Object.keys(where));
    if (meant !== undefined) yield applyEdit(text, { at, remove: written.length, insert: writeKey(meant) });
    yield text;
    return;
  }
  if (Array.isArray(where)) {
    // The whole expression may be meant for every item: as a field, or as a condition.
    if (!isBehindDot) yield text;
    const place = isBehindDot ? at - 1 : at;
    yield applyEdit(text, { at: place, remove: 0, insert: isBehindDot ? "[*]" : "[*]." });
    yield text;
    return;
  }
  if (isBehindDot) yield applyEdit(text, { at: at - 1, remove: written.length + 1, insert: "" });
}

/** `orders.length` and `orders | length` as `length(orders)`. */
function* lengths(text: string, at: number, length: number): Generator<string> {
  const [before = "", list = ""] = /([\w.[\]*@"?=' ]*?)\s*[.|]\s*$/.exec(text.slice(0, at)) ?? [];
  if (list === "") return;
  yield applyEdit(text, {
    at: at - before.length,
    remove: before.length + length,
    insert: `length(${list})`,
  });
}

/** With `to_number()` around fields, for numbers that are written as text. */
function* withNumbers(node: ExpressionNode, { text, placeOf }: CheckedExpression): Generator<string> {
  const places = fieldsOf(node).flatMap((field) => {
    const at = placeOf(field);
    const written = writeKey(field.name);
    return at !== undefined && text.startsWith(written, at) ? [{ at, written }] : [];
  });
  const edits = places.map(({ at, written }) => ({
    at,
    remove: written.length,
    insert: `to_number(${written})`,
  }));
  for (const edit of edits) yield applyEdit(text, edit);
  const last = edits.toSorted((a, b) => b.at - a.at);
  if (last.length > 1) yield last.reduce((mended, edit) => applyEdit(mended, edit), text);
}

function fieldsOf(node: ExpressionNode): readonly (ExpressionNode & { readonly type: "Field" })[] {
  return node.type === "Field" ? [node] : partsOf(node).flatMap((part) => fieldsOf(part));
}
