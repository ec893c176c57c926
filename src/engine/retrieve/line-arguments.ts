// `lines`, `tail`, `around` and `grep`: which lines of a text a request asks for.

import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { adviseKey } from "../../core/text/did-you-mean.ts";
import { quoteName } from "../../core/text/say-name.ts";
import { MAX_TEXT_LENGTH, refuseArgument } from "./argument-forms.ts";
import type { LineRange, LineSpan } from "./question/question.ts";

/** A pattern, and how many lines are shown before and after each match. */
export interface Grep {
  readonly pattern: string;
  readonly context?: number | undefined;
}

/** The most lines shown before and after a match. */
const MAX_CONTEXT_LINES = 50;

const LINES = /^\s*(\d{0,12})\s*(?:(-)\s*(\d{0,12}))?\s*$/;

/** The most ranges that are read of one request. */
const MAX_RANGES = 100;

/** The lines that a request names, both ends included; throws a fault for a text that names none. */
function readLines(lines: string): LineRange {
  const parts = lines.split(",");
  if (parts.length > MAX_RANGES)
    throw refuseArgument("lines", `at most ${MAX_RANGES} ranges`, `lines has ${parts.length} ranges.`);
  const ranges = parts.map(readPart);
  const [first, ...others] = ranges;
  if (first !== undefined && others.length === 0) return first;
  const spans = ranges.flatMap((range) => ("last" in range ? [] : range.spans));
  if (spans.length < ranges.length)
    throw refuseArgument(
      "lines",
      "ranges from a line on",
      "lines names last lines beside other lines: ask for them apart.",
    );
  return { spans: inOrder(spans) };
}

/** From the first line on; lines that are named twice come once. */
function inOrder(spans: readonly LineSpan[]): readonly LineSpan[] {
  const all: LineSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const before = all.at(-1);
    if (before === undefined || span.from > before.to + 1) all.push(span);
    else all[all.length - 1] = { from: before.from, to: Math.max(before.to, span.to) };
  }
  return all;
}

function readPart(lines: string): LineRange {
  const [, first = "", dash, last = ""] = LINES.exec(lines) ?? [];
  if (first === "" && last === "") {
    throw refuseArgument("lines", "a range of lines", `lines is ${quoteName(lines)}, no range.`);
  }
  if (first === "") return { last: atLeastOne(last) };
  const from = atLeastOne(first);
  if (dash === undefined) return { spans: [{ from, to: from }] };
  const to = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from)
    throw refuseArgument("lines", "from <= to", `lines ends at ${to}, before it begins at ${from}.`);
  return { spans: [{ from, to }] };
}

function atLeastOne(digits: string): number {
  const line = Number(digits);
  if (line === 0) throw refuseArgument("lines", "from 1", "lines count from 1.");
  return line;
}

/** A line, and how many lines before and after it. */
export interface Around {
  readonly line: number;
  readonly n?: number | undefined;
}

const AROUND_KEYS = ["line", "n"];
const USUAL_AROUND = 10;
const MAX_AROUND = 1_000;

interface LineArguments {
  readonly lines?: unknown;
  readonly tail?: unknown;
  readonly around?: unknown;
  readonly grep?: unknown;
}

const RANGES = ["lines", "tail", "around"] as const;

/** Whether a request is about lines of a text. */
export function asksForLines(request: LineArguments): boolean {
  return request.grep !== undefined || RANGES.some((name) => request[name] !== undefined);
}

/** The lines among which a request looks; undefined for all. Throws a fault for arguments that name none. */
export function readRange({ lines, tail, around }: Omit<LineArguments, "grep">): LineRange | undefined {
  if (typeof lines === "string") return readLines(lines);
  if (tail !== undefined) return { last: countIn("tail", "tail", tail, 1, Number.MAX_SAFE_INTEGER) };
  return around === undefined ? undefined : readAround(around);
}

function readAround(around: unknown): LineRange {
  if (!isJsonObject(around)) throw refuseArgument("around", "object", "around is not an object with a line.");
  checkKeys("around", around, AROUND_KEYS);
  const line = countIn("around", "line of around", around["line"], 1, Number.MAX_SAFE_INTEGER);
  const n = countIn("around", "n of around", around["n"] ?? USUAL_AROUND, 0, MAX_AROUND);
  return { spans: [{ from: Math.max(1, line - n), to: line + n }] };
}

function countIn(field: string, name: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most)
    return value;
  const limit = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw refuseArgument(field, `whole number, ${limit}`, `${name} is not a whole number of ${limit}.`);
}

function checkKeys(field: string, given: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const name = unknown.slice(0, 100);
  const says = `${field} has no ${quoteName(name)}. ${adviseKey(name, known)}`;
  throw refuseArgument(field, known.join(" and "), says);
}

/** Throws a fault for any of these arguments that is wrong, and for two that name different lines. */
export function checkLineArguments(given: LineArguments): void {
  const [first, second] = RANGES.filter((name) => given[name] !== undefined);
  if (first !== undefined && second !== undefined) {
    const says = `${second} is not taken together with ${first}: give one of them.`;
    throw refuseArgument(second, `not together with ${first}`, says);
  }
  readRange(given);
  if (given.grep !== undefined) checkGrep(given.grep);
}

/** The same arguments with numbers where a text of digits was given, and lines as a text. */
export function withNumbers(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { lines, tail, around, grep } = given;
  return {
    ...given,
    ...(typeof lines === "number" ? { lines: String(lines) } : {}),
    ...(tail === undefined ? {} : { tail: asNumber(tail) }),
    ...(around === undefined ? {} : { around: aroundOf(around) }),
    ...(isJsonObject(grep) ? { grep: { ...grep, ...numbersIn(grep, ["context"]) } } : {}),
  };
}

/** The argument as an object; the number of a line alone is clear too. */
function aroundOf(around: unknown): unknown {
  const line = asNumber(around);
  if (typeof line === "number") return { line };
  return isJsonObject(around) ? { ...around, ...numbersIn(around, AROUND_KEYS) } : around;
}

function numbersIn(given: JsonObject, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const own = keys.filter((key) => Object.hasOwn(given, key));
  return Object.fromEntries(own.map((key) => [key, asNumber(given[key])]));
}

function asNumber(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
}

const GREP_KEYS = ["pattern", "context"];

/** Throws a fault for a `grep` that is neither a pattern nor an object with one. */
function checkGrep(grep: unknown): void {
  if (typeof grep === "string") return checkPattern(grep);
  if (!isJsonObject(grep)) throw refuseArgument("grep", "object", "grep is not an object with a pattern.");
  checkKeys("grep", grep, GREP_KEYS);
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
