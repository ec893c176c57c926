import { appendPointer } from "./pointer.ts";
import { QUOTE, codeAt, isDigit, numberLoss, scanNumber, skipString } from "./scan-json.ts";

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

interface Step {
  /** The current key or index; undefined between the keys of an object. */
  key: string | number | undefined;
  readonly seen: Set<string> | undefined;
  lastIndex: number;
}

interface TracedToken {
  readonly kind: "key" | "string" | "number";
  readonly offset: number;
  /** A string unescaped, a number as written. */
  readonly text: string;
  /** The same key came before in this object. */
  readonly repeats: boolean;
  /** JSON.parse moves this key in front of an earlier one. */
  readonly moves: boolean;
}

const MINUS = 0x2d;
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_ARRAY_INDEX = 2 ** 32 - 2;

/** Walks JSON text that is known to be valid before `until` and shows each token with a way to get its pointer. */
export function traceJson(
  text: string,
  until: number,
  visit: (token: TracedToken, pointer: () => string) => void,
): string {
  const steps: Step[] = [];
  const pointer = (): string => pointerTo(steps);
  let offset = 0;
  while (offset < until) {
    const code = codeAt(text, offset);
    const step = steps.at(-1);
    if (code === QUOTE) {
      const end = skipString(text, offset);
      if (end < 0 || end > until) break;
      const string = unescape(text.slice(offset, end));
      if (step?.seen !== undefined && step.key === undefined) visit(enterKey(step, string, offset), pointer);
      else visit({ kind: "string", offset, text: string, repeats: false, moves: false }, pointer);
      offset = end;
    } else if (isDigit(code) || code === MINUS) {
      const end = scanNumber(text, offset);
      if (end < 0 || end > until) break;
      visit({ kind: "number", offset, text: text.slice(offset, end), repeats: false, moves: false }, pointer);
      offset = end;
    } else {
      const mark = text[offset];
      if (mark === "{") steps.push({ key: undefined, seen: new Set(), lastIndex: -1 });
      else if (mark === "[") steps.push({ key: 0, seen: undefined, lastIndex: -1 });
      else if (mark === "}" || mark === "]") steps.pop();
      else if (mark === "," && step !== undefined)
        step.key = typeof step.key === "number" ? step.key + 1 : undefined;
      offset++;
    }
  }
  return pointer();
}

function enterKey(step: Step, key: string, offset: number): TracedToken {
  const repeats = step.seen?.has(key) ?? false;
  step.seen?.add(key);
  step.key = key;
  const index = ARRAY_INDEX.test(key) && Number(key) <= MAX_ARRAY_INDEX ? Number(key) : Infinity;
  const moves = !repeats && index < step.lastIndex;
  if (!repeats) step.lastIndex = Math.max(step.lastIndex, index);
  return { kind: "key", offset, text: key, repeats, moves };
}

function unescape(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function pointerTo(steps: readonly Step[]): string {
  let pointer = "";
  for (const { key } of steps) {
    if (key !== undefined) pointer = appendPointer(pointer, key);
  }
  return pointer;
}
