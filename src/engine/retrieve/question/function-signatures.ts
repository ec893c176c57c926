import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/**
 * Every function of the language and its parameters: `|` between kinds, `?` after an optional one, `*` after
 * one that repeats. Functions called with null return null, unless they take any value. The second part has
 * our own functions.
 */
export const functionSignatures = {
  abs: "number",
  avg: "numbers",
  ceil: "number",
  contains: "string|array, any",
  ends_with: "string, string",
  find_first: "string, string, number?, number?",
  find_last: "string, string, number?, number?",
  floor: "number",
  from_items: "arrays",
  group_by: "array, expression",
  items: "object",
  join: "string, strings",
  keys: "object",
  length: "string|array|object",
  lower: "string",
  map: "expression, array",
  max: "numbers|strings",
  max_by: "array, expression",
  merge: "object*",
  min: "numbers|strings",
  min_by: "array, expression",
  not_null: "any*",
  pad_left: "string, number, string?",
  pad_right: "string, number, string?",
  replace: "string, string, string, number?",
  reverse: "string|array",
  sort: "numbers|strings",
  sort_by: "array, expression",
  split: "string, string, number?",
  starts_with: "string, string",
  sum: "numbers",
  to_array: "any",
  to_number: "any",
  to_string: "any",
  trim: "string, string?",
  trim_left: "string, string?",
  trim_right: "string, string?",
  type: "any",
  upper: "string",
  values: "object",
  zip: "array*",

  after: "string|number, string|number",
  avg_by: "array, expression, expression?",
  before: "string|number, string|number",
  count_by: "array, expression",
  date: "string|number",
  from_json: "any",
  matches: "string, string",
  round: "number, number?",
  sum_by: "array, expression, expression?",
  top_by: "array, expression, number",
  unique: "array",
  unique_by: "array, expression",
} as const;

export type FunctionName = keyof typeof functionSignatures;

export interface Parameter {
  readonly kinds: readonly ArgumentKind[];
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

function readParameter(written: string): Parameter {
  return {
    kinds: written.replace(/[?*]$/, "").split("|") as ArgumentKind[],
    isOptional: written.endsWith("?"),
    isRepeated: written.endsWith("*"),
  };
}

const parameters = new Map<string, readonly Parameter[]>(
  Object.entries(functionSignatures).map(([name, signature]) => [
    name,
    signature.split(", ").map((written) => readParameter(written)),
  ]),
);

/** The parameters of a function; undefined for a name that is not a function. */
export function parametersOf(name: string): readonly Parameter[] | undefined {
  return parameters.get(name);
}

export const functionNames: readonly string[] = [...parameters.keys()];

/** The fewest and the most arguments of a function. */
export function arityOf(list: readonly Parameter[]): { readonly least: number; readonly most: number } {
  const least = list.filter(({ isOptional }) => !isOptional).length;
  return { least, most: list.at(-1)?.isRepeated === true ? Number.POSITIVE_INFINITY : list.length };
}

/** A kind of argument. A list kind, such as `numbers`, applies to every item of the list. */
export type ArgumentKind =
  | "any"
  | "number"
  | "string"
  | "boolean"
  | "array"
  | "object"
  | "null"
  | "expression"
  | "numbers"
  | "strings"
  | "arrays"
  | "objects";

const ITEM_KINDS: Partial<Record<ArgumentKind, ArgumentKind>> = {
  numbers: "number",
  strings: "string",
  arrays: "array",
  objects: "object",
};

/** JMESPath's name of a value's type. */
export function typeOf(value: JsonValue): "number" | "string" | "boolean" | "array" | "object" | "null" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "number" | "string" | "boolean" | "object";
}

export function isOfKind(value: JsonValue, kind: ArgumentKind): boolean {
  if (kind === "any") return true;
  const itemKind = ITEM_KINDS[kind];
  if (itemKind === undefined) return typeOf(value) === kind;
  return Array.isArray(value) && value.every((item) => typeOf(item as JsonValue) === itemKind);
}

const WORDS: Record<ArgumentKind, string> = {
  any: "any value",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  expression: "an expression (&key)",
  numbers: "a list of numbers",
  strings: "a list of texts",
  arrays: "a list of lists",
  objects: "a list of objects",
};

export function wordsFor(kinds: readonly ArgumentKind[]): string {
  const words = kinds.map((kind) => WORDS[kind]);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const ITEM_WORDS = {
  number: "number",
  string: "text",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null",
} as const;

/** Describes a value in a few words: "list of 3 objects", "text", "number". */
export function describeAnswerValue(value: JsonValue): string {
  if (typeof value === "string") return "text";
  if (isJsonObject(value)) return "object";
  if (!Array.isArray(value)) return typeOf(value);
  const types = new Set(value.slice(0, 100).map((item) => typeOf(item as JsonValue)));
  if (types.size === 0) return "empty list";
  const words = [...types].map((type) => ITEM_WORDS[type]);
  if (words.length === 1) return `list of ${value.length} ${words[0]}${value.length === 1 ? "" : "s"}`;
  return `list of ${value.length}: ${words.map((word) => `${word}s`).join(", ")}`;
}

const ISO_DATE = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;
/** Smaller numbers are seconds since 1970, others milliseconds. As milliseconds it is a day in 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** Milliseconds since 1970. A date without a zone is in UTC. */
export function toTime(value: string | number): number | null {
  if (typeof value === "number") return Math.abs(value) < FIRST_MILLISECONDS ? value * 1_000 : value;
  const text = value.trim();
  if (!ISO_DATE.test(text) || !hasDay(text)) return null;
  const hasTime = /\d:\d/.test(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && hasTime;
  const written = text.replace(" ", "T").replace(/([+-]\d\d)(\d\d)$/, hasTime ? "$1:$2" : "$&");
  const time = Date.parse(hasTime && !hasZone ? `${written}Z` : written);
  return Number.isNaN(time) ? null : time;
}

/** JavaScript reads 30 February as 2 March. */
function hasDay(date: string): boolean {
  const [year = 0, month = 1, day = 1] = date.slice(0, 10).split("-").map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
