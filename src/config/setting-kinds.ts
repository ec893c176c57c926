import * as z from "zod";

// Each message is the advice half of an error; what was found instead is put before it.

export const text = z.string("Write a string.").min(1, "Write a string that is not empty.");
export const toggle = z.boolean("Write true or false.");

/** One of a closed set. */
export function choice<const Values extends readonly string[]>(
  values: Values,
): z.ZodEnum<z.core.util.ToEnum<Values[number]>> {
  return z.enum(values, `Choose one of ${values.join(", ")}.`);
}

/** A limit: a whole number above 0, or "off". */
export function amount(unit: string) {
  const advice = `Write a whole number of ${unit} above 0, or "off".`;
  return z.union([z.int(advice).min(1, advice), z.literal("off")], advice);
}

/** A list of one kind of value. */
export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, "Write a list: [ … ].");
}

/** An object whose keys are names that users choose. */
export function named<Value extends z.ZodType>(value: Value) {
  return z.record(z.string(), value, "Write an object: { … }.");
}

/** An object that refuses keys it does not know. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, "Write an object: { … }.");
}

/** An optional key with the description that editors show. */
export function key<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema.optional().meta({ description });
}
