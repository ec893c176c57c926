import { jsonLengthAtLeast } from "../../json/json-length.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Gauge, MAX_TOKEN_BYTES } from "./gauge.ts";
import type { Place } from "./place.ts";

/** Shorter texts say too little when cut. */
export const MIN_CUT_LENGTH = 200;

/** What a value weighs whole; some number above `limit` once it is sure to be, without writing all of it. */
export function weighWhole(value: JsonValue, limit: number, gauge: Gauge): number {
  const longest = Math.max(0, limit) * MAX_TOKEN_BYTES;
  if (jsonLengthAtLeast(value, longest) > longest) return limit + 1;
  return gauge.weigh(JSON.stringify(value), limit);
}

/** Whether anything of the value may be left out, by what it is and what the schema says. */
export function isElastic(value: JsonValue, { elasticity }: Place): boolean {
  if (typeof value === "string") return elasticity.canCutText && value.length > MIN_CUT_LENGTH;
  if (Array.isArray(value)) return elasticity.canDropItems && value.length > 0;
  // Whether something inside can give way shows when it is tried.
  return isJsonObject(value) && Object.keys(value).length > 0;
}
