import { type JsonObject, type JsonValue, mapObject } from "../json/json-value.ts";

/** Readers take null and absence of an optional key alike; inside, only absence is left. */
export function withoutNulls(object: JsonObject, keep: readonly string[] = []): JsonObject {
  return mapObject(object, (value: JsonValue, key) =>
    value === null && !keep.includes(key) ? undefined : value,
  );
}
