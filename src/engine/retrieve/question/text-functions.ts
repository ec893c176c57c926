// The functions of texts and dates. Positions and lengths count code points where JMESPath says so.

import { RE2JS } from "re2js";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { type FunctionCall, type List, WrongArgument } from "./function-call.ts";
import type { Meter } from "./meter.ts";
import { toTime } from "./read-date.ts";

function wholeNumber(value: number | undefined, name: string, least: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new WrongArgument(`${name} must be a whole number${least === 0 ? " from 0" : ""}`);
}

/** Where a text is found between two places, seen from its start or from its end. */
function find(find: (text: string, wanted: string) => number): FunctionCall {
  return (_: Meter, text: string, wanted: string, start?: number, end?: number): JsonValue => {
    if (text === "" || wanted === "") return null;
    const from = Math.max(wholeNumber(start, "the start", Number.NEGATIVE_INFINITY) ?? 0, 0);
    const to = wholeNumber(end, "the end", Number.NEGATIVE_INFINITY) ?? text.length;
    const place = find(text.slice(from, Math.max(to, 0)), wanted);
    return place === -1 ? null : place + from;
  };
}

function pad(pad: (text: string, width: number, padding: string) => string): FunctionCall {
  return (meter: Meter, text: string, width: number, padding = " "): JsonValue => {
    wholeNumber(width, "the width", 0);
    if (Array.from(padding).length !== 1) throw new WrongArgument("the padding must be one character");
    meter.text(width);
    return pad(text, width, padding);
  };
}

/** By hand: a pattern for it takes a time that grows with the square of the text. */
function trimmed(text: string, characters: string | undefined, atStart: boolean, atEnd: boolean): string {
  const isTrimmed =
    characters === undefined || characters === ""
      ? (unit: string): boolean => /[\s\u0085]/.test(unit)
      : (unit: string): boolean => characters.includes(unit);
  let start = 0;
  let end = text.length;
  if (atStart) while (start < end && isTrimmed(text.charAt(start))) start++;
  if (atEnd) while (end > start && isTrimmed(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function replace(meter: Meter, text: string, old: string, by: string, count?: number): JsonValue {
  const limit = wholeNumber(count, "the count", 0) ?? Number.POSITIVE_INFINITY;
  if (limit === 0) return text;
  const pieces = text.split(old);
  const places = Math.min(pieces.length - 1, limit);
  meter.values(pieces.length);
  meter.text(text.length + places * Math.max(0, by.length - old.length));
  if (places === pieces.length - 1) return pieces.join(by);
  return [pieces.slice(0, places + 1).join(by), ...pieces.slice(places + 1)].join(old);
}

function split(meter: Meter, text: string, by: string, count?: number): JsonValue {
  const limit = wholeNumber(count, "the count", 0);
  if (text === "" && by === "") return [];
  if (limit === 0) return [text];
  const pieces = text.split(by);
  meter.values(pieces.length);
  if (limit === undefined || pieces.length <= limit) return pieces;
  return [...pieces.slice(0, limit), pieces.slice(limit).join(by)];
}

const patterns = new Map<string, RE2JS>();
const MAX_PATTERNS = 16;

/** In time linear in the text, whatever the pattern is. */
function matches(_: Meter, text: string, pattern: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    try {
      compiled = RE2JS.compile(pattern);
    } catch {
      throw new WrongArgument("the pattern is not a regular expression of RE2");
    }
    patterns.set(pattern, compiled);
  }
  return compiled.matcher(text).find();
}

function compareDates(holds: (left: number, right: number) => boolean): FunctionCall {
  return (_: Meter, left: string | number, right: string | number): JsonValue => {
    const [a, b] = [toTime(left), toTime(right)];
    return a === null || b === null ? null : holds(a, b);
  };
}

export const textFunctions = {
  ends_with: (_: Meter, text: string, end: string) => text.endsWith(end),
  find_first: find((text, wanted) => text.indexOf(wanted)),
  find_last: find((text, wanted) => text.lastIndexOf(wanted)),
  join: (meter: Meter, glue: string, texts: readonly string[]) => {
    const length = texts.reduce((sum, text) => sum + text.length + glue.length, 0);
    meter.text(length);
    return texts.join(glue);
  },
  lower: (meter: Meter, text: string) => {
    meter.text(text.length);
    return text.toLowerCase();
  },
  pad_left: pad((text, width, padding) => text.padStart(width, padding)),
  pad_right: pad((text, width, padding) => text.padEnd(width, padding)),
  replace,
  reverse: (meter: Meter, value: string | List) => {
    if (typeof value !== "string") {
      meter.values(value.length);
      return value.toReversed();
    }
    meter.values(value.length);
    return Array.from(value).reverse().join("");
  },
  split,
  starts_with: (_: Meter, text: string, start: string) => text.startsWith(start),
  trim: (_: Meter, text: string, characters?: string) => trimmed(text, characters, true, true),
  trim_left: (_: Meter, text: string, characters?: string) => trimmed(text, characters, true, false),
  trim_right: (_: Meter, text: string, characters?: string) => trimmed(text, characters, false, true),
  upper: (meter: Meter, text: string) => {
    meter.text(text.length);
    return text.toUpperCase();
  },

  after: compareDates((left, right) => left > right),
  before: compareDates((left, right) => left < right),
  date: (_: Meter, value: string | number) => toTime(value),
  matches,
} satisfies Record<string, FunctionCall>;
