import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

const MAX_DEPTH = 100;

/** The keywords that a mask in place of a secret would break: length and form, but not the type string. */
const textRules: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
]);

function relax(value: JsonValue, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => relax(item, depth + 1));
  if (!isJsonObject(value)) return value;
  // As a keyword each is a number or a text; a property with that name is a schema.
  return mapObject(value, (item, key) =>
    textRules.has(key) && !isJsonObject(item) ? undefined : relax(item, depth + 1),
  );
}

/** The schema of data in which any text may have been masked. */
export function withoutTextRules(schema: JsonObject): JsonObject {
  return relax(schema, 0) as JsonObject;
}
