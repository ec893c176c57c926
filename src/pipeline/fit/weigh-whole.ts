import { jsonChunks, jsonLengthAtLeast } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Gauge, MAX_TOKEN_BYTES } from "./gauge.ts";
import type { Place } from "./place.ts";

/** Shorter texts say too little when cut. */
const MIN_CUT_LENGTH = 200;

/** Up to this many times the limit a value is written at once; a longer one piece by piece, until it is over. */
const AT_ONCE_FACTOR = 8;
const CHUNK_LENGTH = 8_192;

/** What a value weighs whole; some number above `limit` once it is sure to be, without writing all of it. */
export function weighWhole(value: JsonValue, limit: number, gauge: Gauge): number {
  if (isShorter(value, limit * AT_ONCE_FACTOR)) return gauge.weigh(JSON.stringify(value), limit);
  if (!isShorter(value, limit * MAX_TOKEN_BYTES)) return limit + 1;
  let weight = 0;
  for (const chunk of jsonChunks(value, CHUNK_LENGTH)) {
    weight += gauge.weigh(chunk, limit - weight);
    if (weight > limit) break;
  }
  return weight;
}

/** Whether a value's text may be as short as that. */
export function isShorter(value: JsonValue, length: number): boolean {
  const least = Math.max(0, length);
  return jsonLengthAtLeast(value, least) <= least;
}

/** Whether anything of the value may be left out, by what it is and what the schema says. */
export function isElastic(value: JsonValue, { elasticity }: Place): boolean {
  if (typeof value === "string") return elasticity.canCutText && value.length > MIN_CUT_LENGTH;
  if (Array.isArray(value)) return elasticity.canDropItems && value.length > 0;
  // Whether something inside can give way shows when it is tried.
  return isJsonObject(value) && Object.keys(value).length > 0;
}
