import { MAX_JSON_DEPTH, isCleanJson } from "../../../core/json/find-non-json.ts";
import { type JsonValue, isJsonObject, mapObject } from "../../../core/json/json-value.ts";

/** The value with null in place of whatever is nested deeper: code that goes through it would overflow the stack. */
function withoutDepths(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) return null;
  if (isJsonObject(value)) return mapObject(value, (inner) => withoutDepths(inner, depth + 1));
  return value.map((inner) => withoutDepths(inner, depth + 1));
}

/**
 * The JSON of a line; undefined where it is not JSON. What is nested too deeply is cut off: the text of the message, which is
 * written down too, still shows it to the rule about depth.
 */
export function parseMessage(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isCleanJson(value) ? value : withoutDepths(value, 0);
  } catch {
    return undefined;
  }
}
