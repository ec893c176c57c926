import type { JsonObject, JsonValue } from "./json-value.ts";

/**
 * A lower bound of the length of the value's JSON text, found without writing it: escapes are not counted, a number
 * counts as one digit. Stops soon after passing `limit`, so that a look at a large value costs what the limit does.
 */
export function jsonLengthAtLeast(value: JsonValue | undefined, limit: number): number {
  return limit - spend(value, limit);
}

/** What is left of `room` after the value; negative when it was not enough. */
function spend(value: JsonValue | undefined, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object") return room - 1;
  if (value === null) return room - 4;
  let left = room - 2;
  let comma = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) {
      left = spend(value[index], left - comma);
      comma = 1;
    }
    return left;
  }
  const members: Readonly<Record<string, JsonValue | undefined>> = value as JsonObject;
  // Not Object.keys: it would make a list of all keys for a look at the first few.
  for (const key in members) {
    const item = members[key];
    if (item === undefined) continue;
    left = spend(item, left - comma - key.length - 3);
    comma = 1;
    if (left < 0) return left;
  }
  return left;
}
