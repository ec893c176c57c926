import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

const MAX_DEPTH = 100;

function relax(value: JsonValue, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => relax(item, depth + 1));
  if (!isJsonObject(value)) return value;
  // As a keyword it is a list; a property that happens to be called so is a schema.
  return mapObject(value, (item, key) =>
    key === "required" && Array.isArray(item) ? undefined : relax(item, depth + 1),
  );
}

/** The schema of data from which a configured filter may take any field. */
export function withoutRequired(schema: JsonObject): JsonObject {
  return relax(schema, 0) as JsonObject;
}
