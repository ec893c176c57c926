import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { MAX_TOKEN_BYTES } from "./gauge.ts";
import { type Place, placeIn } from "./place.ts";
import { isElastic } from "./weigh-whole.ts";

/** What stands for a value in a skeleton; undefined looks into it, or writes it whole. */
type Replace = (value: JsonValue, place: Place) => string | undefined;

const emptied: Replace = (value, place) => {
  if (!isElastic(value, place)) return undefined;
  if (typeof value === "string") return '""';
  return Array.isArray(value) ? "[]" : undefined;
};

/**
 * The JSON text of what cannot be left out: keys, scalars, short texts; lists and long texts stand empty. Undefined
 * when it is surely longer than `room` has place for.
 */
export function skeletonText(
  value: JsonValue,
  place: Place,
  room: number,
  replace: Replace = emptied,
): string | undefined {
  const longest = room * MAX_TOKEN_BYTES;
  const parts: string[] = [];
  let length = 0;
  function write(text: string): boolean {
    parts.push(text);
    length += text.length;
    return length <= longest;
  }
  function visit(item: JsonValue, at: Place, isRoot: boolean): boolean {
    const short = isRoot && replace !== emptied ? undefined : replace(item, at);
    if (short !== undefined) return write(short);
    if (!isJsonObject(item)) return write(JSON.stringify(item));
    let separator = "{";
    for (const [key, child] of Object.entries(item)) {
      if ((child as JsonValue | undefined) === undefined) continue;
      if (!write(`${separator}${JSON.stringify(key)}:`) || !visit(child, placeIn(at, key), false))
        return false;
      separator = ",";
    }
    return write(separator === "{" ? "{}" : "}");
  }
  return visit(value, place, true) ? parts.join("") : undefined;
}
