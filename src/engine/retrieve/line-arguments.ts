// `lines` and `grep`: which lines of a text a request asks for.

import { isJsonObject } from "../../core/json/json-value.ts";
import type { LineRange } from "./question/text-search.ts";
import { adviseKey } from "../../core/text/did-you-mean.ts";
import { MAX_TEXT_LENGTH, refuseArgument } from "./argument-forms.ts";
import { quoteName } from "../../core/text/say-name.ts";

/** A pattern, and how many lines are shown before and after each match. */
export interface Grep {
  readonly pattern: string;
  readonly context?: number | undefined;
}

/** The most lines shown before and after a match. */
const MAX_CONTEXT_LINES = 50;

const LINES = /^\s*(\d{0,12})\s*(?:(-)\s*(\d{0,12}))?\s*$/;

/** The lines that a request names, both ends included; throws a fault for a text that names none. */
export function readLines(lines: string): LineRange {
  const [, first = "", dash, last = ""] = LINES.exec(lines) ?? [];
  if (first === "" && last === "") {
    throw refuseArgument("lines", "a range of lines", `lines is ${quoteName(lines)}, no range.`);
  }
  if (first === "") return { last: atLeastOne(last) };
  const from = atLeastOne(first);
  if (dash === undefined) return { from, to: from };
  const to = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from)
    throw refuseArgument("lines", "from <= to", `lines ends at ${to}, before it begins at ${from}.`);
  return { from, to };
}

function atLeastOne(digits: string): number {
  const line = Number(digits);
  if (line === 0) throw refuseArgument("lines", "from 1", "lines count from 1.");
  return line;
}

const GREP_KEYS = ["pattern", "context"];

/** Throws a fault for a `grep` that is neither a pattern nor an object with one. */
export function checkGrep(grep: unknown): void {
  if (typeof grep === "string") return checkPattern(grep);
  if (!isJsonObject(grep)) throw refuseArgument("grep", "object", "grep is not an object with a pattern.");
  const unknown = Object.keys(grep).find((key) => !GREP_KEYS.includes(key));
  if (unknown !== undefined) {
    const name = unknown.slice(0, 100);
    const says = `grep has no ${quoteName(name)}. ${adviseKey(name, GREP_KEYS)}`;
    throw refuseArgument("grep", "pattern and context", says);
  }
  checkPattern(grep["pattern"]);
  const { context = 0 } = grep;
  if (context !== null && !(Number.isSafeInteger(context) && Number(context) >= 0)) {
    throw refuseArgument("grep", "context from 0", "context of grep is not a whole number of 0 or more.");
  }
  if (Number(context) > MAX_CONTEXT_LINES) {
    const says = `context of grep is at most ${MAX_CONTEXT_LINES} lines.`;
    throw refuseArgument("grep", `context up to ${MAX_CONTEXT_LINES}`, says);
  }
}

function checkPattern(pattern: unknown): void {
  if (typeof pattern !== "string" || pattern === "") {
    throw refuseArgument("grep", "pattern", "grep has no pattern.");
  }
  if (pattern.length > MAX_TEXT_LENGTH) {
    const says = `The pattern of grep is longer than ${MAX_TEXT_LENGTH} characters.`;
    throw refuseArgument("grep", `at most ${MAX_TEXT_LENGTH} characters`, says);
  }
}

/** The pattern and its context lines; undefined if the request has no pattern. */
export function readGrep(
  grep: string | Grep | undefined,
): { readonly pattern: string; readonly context: number } | undefined {
  if (grep === undefined) return undefined;
  if (typeof grep === "string") return { pattern: grep, context: 0 };
  return { pattern: grep.pattern, context: grep.context ?? 0 };
}
