// The functions of single values: numbers, objects, conversions.

import { jsonChunks } from "../../../core/json/json-chunks.ts";
import { type JsonObject, type JsonValue, setOwn } from "../../../core/json/json-value.ts";
import { type FunctionCall, type List, WrongArgument } from "./function-call.ts";
import type { Meter } from "./meter.ts";
import { readJson } from "./read-json.ts";
import { typeOf } from "./value-kinds.ts";

function toText(meter: Meter, value: JsonValue): string {
  if (typeof value === "string") return value;
  let text = "";
  for (const chunk of jsonChunks(value)) {
    meter.text(chunk.length);
    meter.text(text.length + chunk.length);
    text += chunk;
  }
  return text;
}

function toNumber(value: JsonValue): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A text is about this many times as long as the number of values in it. */
const JSON_PER_VALUE = 8;

function fromJson(meter: Meter, value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  meter.values(Math.ceil(value.length / JSON_PER_VALUE));
  try {
    return readJson(value, meter.notes);
  } catch {
    return null;
  }
}

function fromPairs(meter: Meter, pairs: readonly List[]): JsonObject {
  meter.values(pairs.length);
  const object: Record<string, JsonValue> = {};
  for (const pair of pairs) {
    const [key, value] = pair;
    if (pair.length !== 2 || typeof key !== "string" || value === undefined)
      throw new WrongArgument("each item must be a list of two: a key that is text, and a value");
    setOwn(object, key, value);
  }
  return object;
}

function merge(meter: Meter, ...objects: JsonObject[]): JsonObject {
  const merged: Record<string, JsonValue> = {};
  for (const object of objects) {
    const members = Object.entries(object);
    meter.values(members.length);
    for (const [key, value] of members) setOwn(merged, key, value);
  }
  return merged;
}

function lengthOf(meter: Meter, value: string | List | JsonObject): number {
  if (typeof value === "string") {
    let length = value.length;
    // Two units for each character beyond U+FFFF.
    for (let index = 0; index < value.length; index++) {
      if ((value.codePointAt(index) ?? 0) > 0xffff) {
        index++;
        length--;
      }
    }
    return length;
  }
  if (Array.isArray(value)) return value.length;
  return Object.keys(value).length;
}

const MAX_DIGITS = 15;

function round(_: Meter, value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS)
    throw new WrongArgument(`the digits must be a whole number from 0 to ${MAX_DIGITS}`);
  // By its decimal text: 1.005 times 100 is less than 100.5.
  const rounded = Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`);
  return Number.isNaN(rounded) ? value : rounded;
}

export const valueFunctions = {
  abs: (_: Meter, value: number) => Math.abs(value),
  ceil: (_: Meter, value: number) => Math.ceil(value),
  floor: (_: Meter, value: number) => Math.floor(value),
  from_items: fromPairs,
  from_json: fromJson,
  items: (meter: Meter, object: JsonObject) => {
    const members = Object.entries(object);
    meter.values(members.length * 3);
    return members;
  },
  keys: (meter: Meter, object: JsonObject) => {
    const keys = Object.keys(object);
    meter.values(keys.length);
    return keys;
  },
  length: lengthOf,
  merge,
  not_null: (_: Meter, ...values: JsonValue[]) => values.find((value) => value !== null) ?? null,
  to_array: (_: Meter, value: JsonValue) => (Array.isArray(value) ? value : [value]) as List,
  to_number: (_: Meter, value: JsonValue) => toNumber(value),
  to_string: toText,
  type: (_: Meter, value: JsonValue) => typeOf(value),
  values: (meter: Meter, object: JsonObject) => {
    const values = Object.values(object);
    meter.values(values.length);
    return values;
  },

  round,
} satisfies Record<string, FunctionCall>;
