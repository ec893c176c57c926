import type { Kind } from "./value-kinds.ts";

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
  readonly kinds: readonly Kind[];
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

function readParameter(written: string): Parameter {
  return {
    kinds: written.replace(/[?*]$/, "").split("|") as Kind[],
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
