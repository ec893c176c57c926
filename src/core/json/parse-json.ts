import {
  type JsonFinding,
  START,
  advancePosition,
  findLosses,
  mayHoldLoneSurrogate,
  traceJson,
} from "./find-losses.ts";
import { MAX_JSON_DEPTH } from "./find-non-json.ts";
import type { JsonValue } from "./json-value.ts";
import { type JsonFault, scanJson, type Expected } from "./scan-json.ts";

/** The number of properties in all objects of a value together. */
export function countKeys(root: JsonValue): number {
  if (typeof root !== "object" || root === null) return 0;
  const nodes: object[] = [root];
  const inherits = hasInheritedKeys();
  let count = 0;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) {
        const item: unknown = node[index];
        if (typeof item === "object" && item !== null) nodes.push(item);
      }
      continue;
    }
    for (const key in node) {
      if (inherits && !Object.hasOwn(node, key)) continue;
      count++;
      const item = (node as Readonly<Record<string, unknown>>)[key];
      if (typeof item === "object" && item !== null) nodes.push(item);
    }
  }
  return count;
}

/** Something may have added an enumerable property to Object.prototype, which for-in would count. */
function hasInheritedKeys(): boolean {
  for (const _ in {}) return true;
  return false;
}

export type { JsonFinding } from "./find-losses.ts";

interface ParseJsonOptions {
  readonly maxDepth?: number;
  readonly maxFindings?: number;
}

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** What the value lost compared with the text; empty if nothing. */
      readonly findings: readonly JsonFinding[];
      /** There are more findings than `maxFindings`. */
      readonly truncated: boolean;
      /** JSON.parse put keys that look like array indices in another order than the text. */
      readonly reordersKeys: boolean;
      /** The text is, unit for unit, what JSON.stringify writes for the value. Also false if that is uncertain. */
      readonly isDense: boolean;
    }
  | { readonly ok: false; readonly findings: readonly [JsonFinding, ...JsonFinding[]] };

const MAX_FINDINGS = 100;

/** Parses JSON text and lists everything that the value does not keep; never throws. */
export function parseJson(text: string, options: ParseJsonOptions = {}): ParsedJson {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const scan = scanJson(text, maxDepth);
  if (scan.fault !== undefined) return refuse(text, maxDepth);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return refuse(text, maxDepth);
  }
  // Fewer properties than keys in the text means that a key overwrote another.
  const mayLose =
    scan.losesNumbers ||
    scan.mayReorderKeys ||
    scan.keyCount !== countKeys(value) ||
    mayHoldLoneSurrogate(text);
  if (mayLose)
    return { ok: true, value, ...findLosses(text, options.maxFindings ?? MAX_FINDINGS), isDense: false };
  // Only these two kinds of escapes can be written differently.
  const isDense = scan.isDense && !text.includes("\\u") && !text.includes("\\/");
  return { ok: true, value, findings: [], truncated: false, reordersKeys: false, isDense };
}

function refuse(text: string, maxDepth: number): ParsedJson {
  const scan = scanJson(text, maxDepth, true);
  // The strict scan agrees with JSON.parse; a runtime whose own depth limit is lower may still refuse.
  const fault: JsonFault = scan.fault ?? { kind: "depth", offset: 0, expected: "value" };
  const message =
    fault.kind === "syntax"
      ? describeSyntax(text, fault)
      : `The value is nested deeper than ${maxDepth} levels: flatten it, or send that part as text.`;
  const position = advancePosition(text, START, fault.offset);
  const pointer = traceJson(text, fault.offset, () => undefined);
  return {
    ok: false,
    findings: [
      {
        kind: fault.kind,
        pointer,
        ...position,
        message: `Line ${position.line}, column ${position.column}: ${message}`,
      },
    ],
  };
}

const BYTE_ORDER_MARK = "\uFEFF";

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: "a value",
  item: 'a value or "]"',
  "next-item": "a value after the comma",
  key: 'a key in double quotes or "}"',
  "next-key": "a key in double quotes after the comma",
  colon: '":" after the key',
  "comma-or-brace": '"," or "}"',
  "comma-or-bracket": '"," or "]"',
  end: "nothing more after the value",
  string: "a closing double quote",
  number: "a digit",
  literal: "true, false or null",
};

const FOREIGN_WORD = /(?:NaN|-?Infinity|undefined|None|True|False|nil)\b/y;

/** Says what the text has, what JSON expects there and, if it is known, what to do. */
function describeSyntax(text: string, fault: JsonFault): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return "The text starts with a byte order mark (U+FEFF): remove it.";
  if (text.trim() === "") return "The text is empty: send a JSON value.";
  const character = String.fromCodePoint(text.codePointAt(fault.offset) ?? 0);
  const atEnd = fault.offset >= text.length;
  const found = atEnd ? "the end of the text" : showCharacter(character);
  const hint = atEnd ? " The text may be cut off: send all of it." : hintFor(text, fault, character);
  return `Expected ${expectedAt(fault, character, atEnd)}, found ${found}.${hint}`;
}

function expectedAt(fault: JsonFault, character: string, atEnd: boolean): string {
  if (fault.expected !== "string" || atEnd) return EXPECTED[fault.expected];
  if (character < " ") return "a control character in a string to be escaped";
  return 'an escape such as \\n, \\" or \\u0041';
}

function showCharacter(character: string): string {
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  if (visible) return character === '"' ? "a double quote" : `"${character}"`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function hintFor(text: string, fault: JsonFault, character: string): string {
  if (fault.expected === "string") return character < " " ? ` Write it as ${escapeControl(character)}.` : "";
  if (fault.expected === "next-key" && character === "}") return " Remove the comma before it.";
  if (fault.expected === "next-item" && character === "]") return " Remove the comma before it.";
  if (character === "'") return " Write strings in double quotes.";
  if (character === "/" || character === "#") return " Remove comments.";
  FOREIGN_WORD.lastIndex = fault.expected === "number" ? fault.offset - 1 : fault.offset;
  if (FOREIGN_WORD.test(text)) return " Write true, false, null, a finite number or a string.";
  if (/\d/.test(character) && text[fault.offset - 1] === "0") return " Remove the leading zero.";
  return "";
}

function escapeControl(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
