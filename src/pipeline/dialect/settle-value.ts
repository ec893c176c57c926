import { isCleanJson } from "../../json/find-non-json.ts";
import { type JsonValue, isJsonObject, mapObject } from "../../json/json-value.ts";

function withoutUndefined(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isJsonObject(value)) return value;
  return mapObject(value, (item: JsonValue | undefined) =>
    item === undefined ? undefined : withoutUndefined(item),
  );
}

/**
 * A value as its JSON text would give it: properties that are undefined are absent. The value has passed
 * `violationsOfValue`, so its depth is limited.
 */
export function settleValue(value: JsonValue): JsonValue {
  return isCleanJson(value) ? value : withoutUndefined(value);
}
