import * as z from "zod";
import { type JsonObject, type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";

/** The schema an author would write after a look at some values: types of keys and items, extra keys allowed. */
function inferSchema(values: readonly JsonValue[]): z.ZodType {
  const kinds: z.ZodType[] = [];
  const lists = values.filter((value): value is JsonValue[] => Array.isArray(value));
  const objects = values.filter(isJsonObject);
  if (values.some((value) => typeof value === "string")) kinds.push(z.string());
  if (values.some((value) => typeof value === "number")) kinds.push(z.number());
  if (values.some((value) => typeof value === "boolean")) kinds.push(z.boolean());
  if (values.includes(null)) kinds.push(z.null());
  if (lists.length > 0) kinds.push(z.array(inferSchema(lists.flat())));
  if (objects.length > 0) kinds.push(inferObject(objects));
  const [only, ...others] = kinds;
  if (only === undefined) return z.unknown();
  return others.length === 0 ? only : z.union([only, ...others]);
}

function inferObject(objects: readonly JsonObject[]): z.ZodType {
  const keys = new Set(objects.flatMap((object) => Object.keys(object)));
  const shape = Array.from(keys, (key): [string, z.ZodType] => {
    const values = objects.flatMap((object) => {
      const value = object[key];
      return value === undefined ? [] : [value];
    });
    const schema = inferSchema(values);
    return [key, values.length === objects.length ? schema : schema.optional()];
  });
  return z.looseObject(Object.fromEntries(shape));
}

/** The same as JSON Schema. */
export function inferJsonSchema(...values: readonly JsonValue[]): JsonObject {
  return z.toJSONSchema(inferSchema(values)) as unknown as JsonObject;
}
