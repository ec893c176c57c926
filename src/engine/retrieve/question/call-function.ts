import { type JsonValue, type JsonObject, setOwn } from "../../../core/json/json-value.ts";
import type { NodeOf } from "./expression-node.ts";
import { type Evaluator, type FunctionCall, type List, type Meter, WrongArgument } from "./meter.ts";
import {
  type FunctionName,
  type ArgumentKind,
  type Parameter,
  describeAnswerValue,
  isOfKind,
  parametersOf,
  toTime,
  typeOf,
} from "./function-signatures.ts";
import { listFunctions } from "./list-functions.ts";
import type { InnerTexts } from "./questioned-value.ts";
import { jsonChunks } from "../../../core/json/json-chunks.ts";
import { readQuestionedJson } from "./read-json.ts";
import { RE2JS } from "re2js";

// The functions of texts and dates. Positions and lengths count code points where JMESPath says so.

function wholeNumber(value: number | undefined, name: string, least: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new WrongArgument(`${name} must be a whole number${least === 0 ? " from 0" : ""}`);
}

/** Finds a text between two positions, from the start or from the end. */
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

/** Written by hand: a pattern would take time quadratic in the text. */
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

/** In time linear in the text, for any pattern. */
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

const textFunctions = {
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

// The functions of single values: numbers, objects, conversions.

function toText(meter: Meter, value: JsonValue): string {
  if (typeof value === "string") return value;
  let text = "";
  for (const chunk of jsonChunks(value)) {
    meter.text(chunk.length);
    meter.text(text.length + chunk.length);
    text += chunk;
  }
  return text;
}

function toNumber(value: JsonValue): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A JSON text is about this many times as long as the number of values in it. */
const JSON_PER_VALUE = 8;

function fromJson(meter: Meter, value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  meter.values(Math.ceil(value.length / JSON_PER_VALUE));
  try {
    return readQuestionedJson(value, meter.notes);
  } catch {
    return null;
  }
}

function fromPairs(meter: Meter, pairs: readonly List[]): JsonObject {
  meter.values(pairs.length);
  const object: Record<string, JsonValue> = {};
  for (const pair of pairs) {
    const [key, value] = pair;
    if (pair.length !== 2 || typeof key !== "string" || value === undefined)
      throw new WrongArgument("each item must be a list of two: a key that is text, and a value");
    setOwn(object, key, value);
  }
  return object;
}

function merge(meter: Meter, ...objects: JsonObject[]): JsonObject {
  const merged: Record<string, JsonValue> = {};
  for (const object of objects) {
    const members = Object.entries(object);
    meter.values(members.length);
    for (const [key, value] of members) setOwn(merged, key, value);
  }
  return merged;
}

function lengthOf(meter: Meter, value: string | List | JsonObject): number {
  if (typeof value === "string") {
    let length = value.length;
    // A character beyond U+FFFF takes two units.
    for (let index = 0; index < value.length; index++) {
      if ((value.codePointAt(index) ?? 0) > 0xffff) {
        index++;
        length--;
      }
    }
    return length;
  }
  if (Array.isArray(value)) return value.length;
  return Object.keys(value).length;
}

const MAX_DIGITS = 15;

function round(_: Meter, value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS)
    throw new WrongArgument(`the digits must be a whole number from 0 to ${MAX_DIGITS}`);
  // Through its decimal text: 1.005 times 100 is less than 100.5.
  const rounded = Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`);
  return Number.isNaN(rounded) ? value : rounded;
}

const valueFunctions = {
  abs: (_: Meter, value: number) => Math.abs(value),
  ceil: (_: Meter, value: number) => Math.ceil(value),
  floor: (_: Meter, value: number) => Math.floor(value),
  from_items: fromPairs,
  from_json: fromJson,
  items: (meter: Meter, object: JsonObject) => {
    const members = Object.entries(object);
    meter.values(members.length * 3);
    return members;
  },
  keys: (meter: Meter, object: JsonObject) => {
    const keys = Object.keys(object);
    meter.values(keys.length);
    return keys;
  },
  length: lengthOf,
  merge,
  not_null: (_: Meter, ...values: JsonValue[]) => values.find((value) => value !== null) ?? null,
  to_array: (_: Meter, value: JsonValue) => (Array.isArray(value) ? value : [value]) as List,
  to_number: (_: Meter, value: JsonValue) => toNumber(value),
  to_string: toText,
  type: (_: Meter, value: JsonValue) => typeOf(value),
  values: (meter: Meter, object: JsonObject) => {
    const values = Object.values(object);
    meter.values(values.length);
    return values;
  },

  round,
} satisfies Record<string, FunctionCall>;

const calls: Record<FunctionName, FunctionCall> = { ...listFunctions, ...textFunctions, ...valueFunctions };

/** Thrown if a function cannot work with its arguments. */
export class FunctionFailed extends Error {
  override readonly name = "FunctionFailed";
  readonly node: NodeOf<"Function">;
  /** What was wrong with an argument's type; undefined if the function itself refused. */
  readonly mismatch:
    | { readonly index: number; readonly kinds: readonly ArgumentKind[]; readonly given: string }
    | undefined;

  constructor(node: NodeOf<"Function">, message: string, mismatch?: FunctionFailed["mismatch"]) {
    super(message);
    this.node = node;
    this.mismatch = mismatch;
  }
}

type Argument = JsonValue | Evaluator;

/** A function of the expression, ready to be called with its arguments. */
export function prepareCall(
  node: NodeOf<"Function">,
  meter: Meter,
  texts: InnerTexts,
): (args: Argument[]) => JsonValue {
  const call = calls[node.name as FunctionName] as unknown as (
    meter: Meter,
    ...args: readonly Argument[]
  ) => JsonValue;
  const parameters = parametersOf(node.name) ?? [];
  return (args) => {
    for (let index = 0; index < args.length; index++) {
      const argument = args[index];
      if (argument === undefined || typeof argument === "function") continue;
      const kinds = kindsAt(parameters, index);
      if (kinds.some((kind) => isOfKind(argument, kind))) continue;
      if (argument === null) return null;
      const opened = texts.open(argument);
      if (opened !== argument && kinds.some((kind) => isOfKind(opened, kind))) {
        args[index] = opened;
        continue;
      }
      throw new FunctionFailed(node, "type", { index, kinds, given: describeAnswerValue(argument) });
    }
    try {
      return call(meter, ...args);
    } catch (error) {
      throw error instanceof WrongArgument ? new FunctionFailed(node, error.message) : error;
    }
  };
}

function kindsAt(parameters: readonly Parameter[], index: number): readonly ArgumentKind[] {
  return (parameters[index] ?? parameters.at(-1))?.kinds ?? [];
}
