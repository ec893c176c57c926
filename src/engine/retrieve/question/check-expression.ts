import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { checkParts } from "./check-parts.ts";
import { Mistake, applyEdit } from "./expression-node.ts";
import { type ParsedExpression, parseExpression } from "./parse-expression.ts";
import { parsePointer } from "../../../core/json/pointer.ts";
import { expressionPath, writeKey } from "./example-question.ts";

/** The longest expression, in bytes of UTF-8. */
export const MAX_EXPRESSION_BYTES = 4_096;

/** Used if no example fits better. */
const EXAMPLE = "items[?status == 'open'].name";

/** An expression that is valid by itself; only the data can show that it does not fit. */
export interface CheckedExpression extends ParsedExpression {
  readonly text: string;
}

/** What is known of the value that a question is about, if the value is available. */
export interface KnownValue {
  /** The first candidate that has an answer. */
  readonly firstAnswered: (candidates: Iterable<string>) => string | undefined;
  /** A question that fits the value, and facts about the value. */
  readonly example: string | undefined;
  readonly details: JsonObject;
}

/**
 * Parses an expression; throws a `ToolFault` that says where it is wrong. Never evaluates it, and takes
 * bounded time.
 */
export function checkExpression(expression: string, know?: () => KnownValue): CheckedExpression {
  assertLength(expression);
  try {
    return { ...readExpression(expression), text: expression };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    throw toFault(expression, error, know?.());
  }
}

/** Throws a `ToolFault` for an expression that is too long to be parsed. */
export function assertLength(expression: string): void {
  // Every UTF-16 unit takes at least one byte.
  const isLong =
    expression.length > MAX_EXPRESSION_BYTES ||
    new TextEncoder().encode(expression).byteLength > MAX_EXPRESSION_BYTES;
  if (isLong)
    throw new ToolFault(`The expression is too long: at most ${MAX_EXPRESSION_BYTES} bytes are read.`, {
      errorCode: "INVALID_FORMAT",
      remediation: "Ask a shorter question. Several short questions may follow each other.",
      details: { reason: "expression_too_long", max_bytes: MAX_EXPRESSION_BYTES },
    });
}

/** Throws a `Mistake`. */
function readExpression(expression: string): ParsedExpression {
  if (expression.trim() === "") throw new Mistake("it is empty", 0);
  const parsed = parseExpression(expression);
  checkParts(parsed);
  return parsed;
}

function* candidatesFor(expression: string, { edit }: Mistake): Generator<string> {
  if (edit !== undefined) {
    const edited = applyEdit(expression, edit);
    if (isReadable(edited)) yield edited;
    for (const repaired of repairsOf(edited)) if (isReadable(repaired)) yield repaired;
  }
  for (const repaired of repairsOf(expression)) if (isReadable(repaired)) yield repaired;
}

function toFault(expression: string, mistake: Mistake, known: KnownValue | undefined): ToolFault {
  const { message, position } = mistake;
  const candidates = candidatesFor(expression, mistake);
  const mended =
    known === undefined
      ? (candidates.next().value as string | undefined)
      : (known.firstAnswered(candidates) ?? known.example);
  const example = mended ?? EXAMPLE;
  const where = position === undefined ? "" : ` at character ${position + 1}`;
  return new ToolFault(`The expression is wrong${where}: ${message}${message.endsWith("?") ? "" : "."}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Correct it, for example: ${example}`,
    // Before the tool has run nothing is known but what both sentences say, and a model reads every word.
    details: known && {
      reason: "wrong_expression",
      ...(position === undefined ? {} : { position: position + 1 }),
      ...known.details,
      example,
    },
  });
}

function isReadable(expression: string): boolean {
  try {
    readExpression(expression);
    return true;
  } catch {
    return false;
  }
}

// What a wrong expression probably meant. Each step corrects one habit from another language; the first result
// that parses is the example in the error. Only the expression that the model wrote is ever answered.

// Habits from SQL, JSONPath, jq, Python and JavaScript, each with the equivalent text here.

const SQL =
  /^\s*select\s+(.+?)\s+from\s+([\w.]+)(?:\s+where\s+(.+?))?(?:\s+order\s+by\s+.+?)?(?:\s+limit\s+(\d+))?\s*;?\s*$/is;

function fromSql(text: string): string {
  const [, columns = "", table = "", condition, limit] = SQL.exec(text) ?? [];
  if (table === "") return text;
  const rows = `${table}${condition === undefined ? "" : `[?${condition}]`}`;
  if (/^count\s*\(/i.test(columns)) return `length(${rows})`;
  const some = limit === undefined ? rows : `${condition === undefined ? rows : `${rows} | `}[:${limit}]`;
  if (columns === "*") return some;
  const names = columns.split(",").map((name) => name.trim());
  const from = condition === undefined && limit === undefined ? `${some}[*]` : some;
  return names.length === 1 ? `${from}.${columns}` : `${from}.[${names.join(", ")}]`;
}

function fromLike(key: string, pattern: string): string {
  const inner = pattern.replaceAll(/^%|%$/g, "");
  if (pattern.startsWith("%") && pattern.endsWith("%")) return `contains(${key}, '${inner}')`;
  if (pattern.endsWith("%")) return `starts_with(${key}, '${inner}')`;
  return pattern.startsWith("%") ? `ends_with(${key}, '${inner}')` : `${key} == '${inner}'`;
}

const otherLanguages: readonly ((text: string) => string)[] = [
  fromSql,
  (text) => (/^(?:\/[\w~-]+)+$/.test(text) ? expressionPath(parsePointer(text)) : text),
  (text) => text.replaceAll(/(\w)''(?=\w)/g, "$1\\'"),
  (text) =>
    text.replaceAll(
      /([\w.]+)\s+(not\s+)?like\s+'([^']*)'/gi,
      (_, key: string, not: string | undefined, pattern: string) =>
        `${not === undefined ? "" : "!"}${fromLike(key, pattern)}`,
    ),
  (text) =>
    text.replaceAll(
      /([\w.]+)\s+(not\s+)?in\s+[[(]([^\])]*)[\])]/gi,
      (_, key: string, not: string | undefined, list: string) =>
        `${not === undefined ? "" : "!"}contains([${list.replaceAll('"', "'")}], ${key})`,
    ),
  (text) => text.replaceAll(/\s+is\s+not\s+null\b/gi, " != null").replaceAll(/\s+is\s+null\b/gi, " == null"),
  // orders[0]['id'] and {id, state}
  (text) =>
    text.replaceAll(
      /\[\s*(?:'([^'\\]+)'|"([^"\\]+)")\s*\]/g,
      (_, single?: string, double?: string) => `.${writeKey(single ?? double ?? "")}`,
    ),
  (text) =>
    text.replaceAll(
      /\{\s*(\w+(?:\s*,\s*\w+)*)\s*\}/g,
      (_, names: string) =>
        `{${names
          .split(",")
          .map((name) => `${name.trim()}: ${name.trim()}`)
          .join(", ")}}`,
    ),
  (text) => text.replaceAll(/\bfirst\(([^()]*)\)/g, "$1[0]").replaceAll(/\blast\(([^()]*)\)/g, "$1[-1]"),
  (text) => text.replaceAll(/\bsubstr(?:ing)?\(([^(),]+),\s*(\d+)(?:,\s*(\d+))?\)/g, "$1[$2:$3]"),
  // jq and JSONPath: .orders | length, $..id
  (text) => text.replace(/^\s*\.?(.+?)\s*\|\s*length\s*(?:\(\s*\))?\s*$/, "length($1)"),
  (text) => text.replace(/^\s*\$?\.\.(?=\w)/, "*[]."),
  (text) => text.replace(/^\s*\$?\.\.(?=\w)/, ""),
];

type Step = (expression: string) => string;

/** Applies a step outside of quotes only: text between quotes is data. */
function outsideQuotes(expression: string, mend: Step): string {
  return expression
    .split(/('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/)
    .map((part, index) => (index % 2 === 0 ? mend(part) : part))
    .join("");
}

const steps: readonly Step[] = [
  ...otherLanguages,
  // Curly quotes of a word processor enclose text.
  (text) => text.replaceAll(/[\u2018\u2019\u201C\u201D]/g, "'"),
  (text) =>
    outsideQuotes(text, (part) =>
      part.replaceAll("===", "==").replaceAll("!==", "!=").replaceAll("<>", "!="),
    ),
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(?<![=!<>])=(?!=)/g, "==")),
  (text) =>
    outsideQuotes(text, (part) =>
      part
        .replaceAll(/\bAND\b/gi, "&&")
        .replaceAll(/\bOR\b/gi, "||")
        .replaceAll(/\bNOT\s+/gi, "!"),
    ),
  // Text between double quotes, and text between backticks that is not JSON.
  (text) => text.replaceAll(/(==|!=|[<>]=?)\s*"([^"'\\]*)"/g, "$1 '$2'"),
  (text) =>
    text.replaceAll(/`([^`'"[\]{}]*)`/g, (all, inside: string) => (isJson(inside) ? all : `'${inside}'`)),
  // JSONPath and JavaScript: $.items, $[0], [?(@.price > 10)], @.name inside of a filter.
  (text) => outsideQuotes(text, (part) => part.replaceAll(/^\s*\$\.?(?=[[\w*])/g, "")),
  (text) => outsideQuotes(text, (part) => part.replaceAll("@.", "")),
  // jq: .items[] | select(.state == …) | .name
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(?<![\w\])}"*])\.(?=[A-Za-z_"])/g, "")),
  (text) => text.replaceAll(/\[\]\s*\|\s*select\(((?:[^()]|\([^()]*\))*)\)\s*(?:\|\s*)?\.?/g, "[?$1]."),
  (text) => text.replace(/\.\s*$/, ""),
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(_by\([^,()]*,\s*)(?=[A-Za-z_])/g, "$1&")),
  (text) => text + closing(text),
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Closes the brackets that are still open. */
function closing(text: string): string {
  const open: string[] = [];
  outsideQuotes(text, (part) => {
    for (const character of part) {
      if (character === "[") open.push("]");
      if (character === "(") open.push(")");
      if (character === "{") open.push("}");
      if (character === open.at(-1)) open.pop();
    }
    return part;
  });
  return open.reverse().join("");
}

/** Longer ones are not corrected: each try parses the expression once more. */
const MAX_LENGTH = 512;

/** Possible meanings, the most similar first: after correcting one habit, then several. Most do not parse. */
function* repairsOf(expression: string): Generator<string> {
  if (expression.length > MAX_LENGTH) return;
  for (const step of steps) {
    const mended = step(expression);
    if (mended !== expression) yield mended;
  }
  let mended = expression;
  for (const step of steps) {
    const before = mended;
    mended = step(mended);
    if (mended !== before) yield mended;
  }
}
