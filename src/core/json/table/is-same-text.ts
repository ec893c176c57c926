import type { JsonObject, JsonValue } from "../json-value.ts";

/** Deeper values count as different: comparing them could exceed the stack. */
const MAX_COMPARED = 100;

function areSameItems(one: readonly JsonValue[], other: readonly JsonValue[], depth: number): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (!isSame(one[index], other[index], depth)) return false;
  }
  return true;
}

/** One walk over both lists of keys, because their order is part of the text. */
function areSameMembers(one: JsonObject, other: JsonObject, depth: number): boolean {
  const keys = Object.keys(one);
  const others = Object.keys(other);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    if (key !== others[at] || !isSame(one[key], other[key], depth)) return false;
  }
  return true;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined, depth: number): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (depth > MAX_COMPARED || Array.isArray(one) !== Array.isArray(other)) return false;
  return Array.isArray(one)
    ? areSameItems(one, other as readonly JsonValue[], depth + 1)
    : areSameMembers(one as JsonObject, other as JsonObject, depth + 1);
}

/** Whether two values have the same JSON text: the same keys in the same order. Stops at the first difference. */
export function isSameText(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return isSame(one, other, 1);
}
