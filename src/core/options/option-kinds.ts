// The kinds of values for options in code and settings in a file. Each message is the advice half of an error; what was
// found instead is put before it. A message of `judged` is the whole sentence after the option's name.

import * as z from "zod/mini";

export const text = z.string("Write a string.").check(z.minLength(1, "Write a string that is not empty."));
export const toggle = z.boolean("Write true or false.");
export const date = z.iso.date("Write a date as YYYY-MM-DD.");

/** One of a closed set. */
export function choice<const Values extends readonly string[]>(
  values: Values,
): z.ZodMiniEnum<z.core.util.ToEnum<Values[number]>> {
  return z.enum(values, `Choose one of ${values.join(", ")}.`);
}

interface Range {
  readonly min: number;
  readonly max?: number | undefined;
  /** The unit, as in "whole number of tokens". */
  readonly unit?: string | undefined;
}

function adviseRange(kind: string, { min, max, unit }: Range): string {
  const counted = unit === undefined ? kind : `${kind} of ${unit}`;
  return `Write a ${counted} ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}.`;
}

/** A whole number within a range. */
export function whole(range: Range) {
  const advice = adviseRange("whole number", range);
  const { min, max = Number.MAX_SAFE_INTEGER } = range;
  return z.int(advice).check(z.gte(min, advice), z.lte(max, advice));
}

/** A number within a range, fractions too. */
export function number(range: Range) {
  const advice = adviseRange("number", range);
  const { min, max = Number.MAX_VALUE } = range;
  return z.number(advice).check(z.gte(min, advice), z.lte(max, advice));
}

/** A limit: a whole number above 0, or "off". */
export function limitOf(unit: string) {
  const advice = `Write a whole number of ${unit} above 0, or "off".`;
  return z.union([z.int(advice).check(z.gte(1, advice)), z.literal("off")], advice);
}

/** A list of one kind of value. */
export function list<Item extends z.ZodMiniType>(item: Item) {
  return z.array(item, "Write a list: [ … ].");
}

/** An object whose keys are names that users choose. */
export function named<Value extends z.ZodMiniType>(value: Value) {
  return z.record(z.string(), value, "Write an object: { … }.");
}

/** An object that refuses keys it does not know. */
export function object<Shape extends z.core.$ZodShape>(shape: Shape, advice = "Write an object: { … }.") {
  return z.strictObject(shape, advice);
}

/** An optional key with the description that editors show. */
export function key<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  const optional = z.optional(schema);
  z.globalRegistry.add(optional, { description });
  return optional;
}

/** An object whose keys are all optional. A missing or superfluous key in the shape does not compile. */
export function optionsOf<Options extends object>(
  shape: Readonly<Record<keyof Options & string, z.ZodMiniType>>,
  advice?: string,
) {
  const entries = Object.entries<z.ZodMiniType>(shape).map(([name, schema]) => [name, z.optional(schema)]);
  return object(Object.fromEntries(entries) as Record<string, z.ZodMiniType>, advice);
}

/** A text that a function can read; the function returns undefined for any other text. */
export function readable(read: (given: string) => unknown, advice: string) {
  return z.string(advice).check((payload) => {
    if (read(payload.value) !== undefined) return;
    payload.issues.push({ code: "invalid_format", format: "text", message: advice, input: payload.value });
  });
}

/**
 * A value that a function judges: it returns what is wrong as the end of a sentence, or nothing. The value itself is
 * not shown, so this kind fits secrets too.
 */
export function judged(problemOf: (value: unknown) => string | undefined) {
  return z.unknown().check((payload) => {
    const problem = problemOf(payload.value);
    if (problem === undefined) return;
    payload.issues.push({ code: "custom", message: problem, input: payload.value });
  });
}

export const callback = judged((value) =>
  typeof value === "function" ? undefined : "is not a function: give one, or leave it out.",
);

/** An object that has these methods. */
export function withMethods(methods: readonly string[], advice: string) {
  return judged((value) => {
    const given = Object(value) as Readonly<Record<string, unknown>>;
    const missing = methods.find((method) => typeof given[method] !== "function");
    return missing === undefined ? undefined : `has no method ${missing}: ${advice}.`;
  });
}
