import { type TracedToken, traceJson } from "./trace-json.ts";

type JsonFindingKind =
  | "syntax"
  | "depth"
  | "number-range"
  | "number-precision"
  | "duplicate-key"
  | "lone-surrogate";

export interface JsonFinding {
  readonly kind: JsonFindingKind;
  readonly pointer: string;
  /** In UTF-16 code units from 0; line and column count from 1. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export const START: TextPosition = { offset: 0, line: 1, column: 1 };

/** Moves a position forward to an offset, counting the line feeds in between. */
export function advancePosition(text: string, from: TextPosition, offset: number): TextPosition {
  let { line, column } = from;
  let start = from.offset;
  for (let feed = text.indexOf("\n", start); feed !== -1 && feed < offset; feed = text.indexOf("\n", start)) {
    line++;
    column = 1;
    start = feed + 1;
  }
  column += offset - start;
  return { offset, line, column };
}

const ESCAPED_BACKSLASH = /\\\\u/;
const UNPAIRED_ESCAPE =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

/** Whether a string holds half a surrogate pair, which UTF-8 cannot carry. */
function hasLoneSurrogate(text: string): boolean {
  // Every runtime has it since 2023; TypeScript's es2023 library does not know it yet.
  return !(text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** False only if no string in the JSON text can hold a lone surrogate, raw or escaped. */
export function mayHoldLoneSurrogate(text: string): boolean {
  if (hasLoneSurrogate(text)) return true;
  if (!text.includes("\\ud") && !text.includes("\\uD")) return false;
  // After an escaped backslash, "ud83d" is plain text and pairs with nothing.
  return ESCAPED_BACKSLASH.test(text) || UNPAIRED_ESCAPE.test(text);
}

type NumberLoss = "number-range" | "number-precision";

/** What a JSON number loses when it is read as a double; undefined if it is written back with the same value. */
export function numberLoss(token: string): NumberLoss | undefined {
  const value = Number(token);
  const written = String(value);
  if (written === token) return undefined;
  if (!Number.isFinite(value)) return "number-range";
  return sameDecimal(token, written) ? undefined : "number-precision";
}

function sameDecimal(a: string, b: string): boolean {
  const left = toDecimal(a);
  const right = toDecimal(b);
  return left.digits === right.digits && (left.digits === "" || left.exponent === right.exponent);
}

/** The digits without zeros at either end (none for zero), and the exponent of the last digit. */
function toDecimal(token: string): { digits: string; exponent: number } {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = whole + fraction;
  let start = 0;
  while (all[start] === "0") start++;
  let end = all.length;
  while (end > start && all[end - 1] === "0") end--;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

interface JsonLosses {
  readonly findings: readonly JsonFinding[];
  readonly truncated: boolean;
  readonly reordersKeys: boolean;
}

/** Lists what valid JSON text loses when it is read into a value, in the order of the text. */
export function findLosses(text: string, maxFindings: number): JsonLosses {
  const findings: JsonFinding[] = [];
  let truncated = false;
  let reordersKeys = false;
  let position = START;
  traceJson(text, text.length, (token, pointer) => {
    if (token.moves) reordersKeys = true;
    for (const kind of lossesOf(token)) {
      if (findings.length >= maxFindings) {
        truncated = true;
        return;
      }
      position = advancePosition(text, position, token.offset);
      const at = pointer();
      findings.push({ kind, pointer: at, ...position, message: describeLoss(kind, token.text, at) });
    }
  });
  return { findings, truncated, reordersKeys };
}

type LossKind = Exclude<JsonFindingKind, "syntax" | "depth">;

function lossesOf(token: TracedToken): LossKind[] {
  const losses: LossKind[] = [];
  if (token.kind === "number") {
    const loss = numberLoss(token.text);
    if (loss !== undefined) losses.push(loss);
    return losses;
  }
  if (token.repeats) losses.push("duplicate-key");
  if (hasLoneSurrogate(token.text)) losses.push("lone-surrogate");
  return losses;
}

function describeLoss(kind: LossKind, text: string, pointer: string): string {
  const where = pointer === "" ? "the whole value" : pointer;
  const messages: Readonly<Record<LossKind, string>> = {
    "number-range": `The number ${clip(text)} at ${where} is too large for a double and would become null: write it as a string.`,
    "number-precision": `The number ${clip(text)} at ${where} would become ${String(Number(text))}: write it as a string.`,
    "duplicate-key": `The key at ${where} appears more than once in its object and only the last value would stay: rename or remove one.`,
    "lone-surrogate": `The text at ${where} holds half a surrogate pair, which UTF-8 cannot carry: write the whole pair, or remove it.`,
  };
  return messages[kind];
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
