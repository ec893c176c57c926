import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { mapObject } from "../json/set-own.ts";

/** Readers take null and absence of an optional key alike; inside, only absence is left. */
export function withoutNulls(object: JsonObject, keep: readonly string[] = []): JsonObject {
  return mapObject(object, (value: JsonValue, key) =>
    value === null && !keep.includes(key) ? undefined : value,
  );
}
