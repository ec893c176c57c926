import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/** Equal as JSON: the order of an object's keys does not count. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    const other = right as readonly JsonValue[];
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item as JsonValue, other[index] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null));
}

/** JMESPath's truth: null, false, "", [] and {} are false; every number is true. */
export function isTrue(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  if (typeof value !== "object") return true;
  if (Array.isArray(value)) return value.length > 0;
  return hasKeys(value as JsonObject);
}

function hasKeys(object: JsonObject): boolean {
  // Not Object.keys: it would list all keys to find out that there is one.
  for (const key in object) if (Object.hasOwn(object, key)) return true;
  return false;
}

const SURROGATE = /[\uD800-\uDFFF]/;

/**
 * The order of code points, which is the order of UTF-8. JavaScript compares code units, which differs beyond
 * U+FFFF.
 */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1;
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return left.length - right.length;
}

/** Surrogates encode the characters after U+FFFF. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Numbers by size, texts by code points; undefined if two values have no order. */
export function compareValues(left: JsonValue, right: JsonValue): number | undefined {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [first, second] = [wholeNumber(left), wholeNumber(right)];
  if (first !== undefined && second !== undefined) return first < second ? -1 : first > second ? 1 : 0;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return undefined;
}

const LONG_NUMBER = /^-?[1-9]\d{15,99}$/;

/** A text that is a number too long for a double: such numbers are parsed as text, to stay exact. */
export function isLongText(value: JsonValue): value is string {
  return typeof value === "string" && value.length > 15 && LONG_NUMBER.test(value);
}

/** The value as which a number, or a text that is a too long number, is compared. */
function wholeNumber(value: JsonValue): bigint | number | undefined {
  if (typeof value === "number") return value;
  return isLongText(value) ? BigInt(value) : undefined;
}
