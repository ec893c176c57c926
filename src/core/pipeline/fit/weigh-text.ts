import { jsonChunks, jsonLengthAtLeast, keysOf } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { FitContext } from "../parcel.ts";
import type { CutPlace } from "./cut-place.ts";
import type { Charge } from "./weigh-parcel.ts";

/** Weighs texts against the budget. If there are two limits, the stricter one decides a text's weight. */
export interface TextWeigher {
  readonly budget: number;
  /**
   * Stops above `limit` and then returns some number above it. It may also stop once the weight is certainly at most
   * `enough`, and then returns a number that is not too small and not above `enough`.
   */
  weigh(text: string, limit?: number, enough?: number): number;
  /** The weight to reserve for something that is added later. */
  reserve(charge: Charge): number;
}

/** No vocabulary has longer tokens, so a text cannot weigh less than this share of its bytes. */
export const MAX_TOKEN_BYTES = 128;

type GaugeParts = Pick<FitContext, "budget" | "byteLength"> & { readonly counter: TokenCounter | undefined };

export function makeTextWeigher({ budget, byteLength, counter }: GaugeParts): TextWeigher {
  const { tokens, bytes } = budget;
  if (tokens === "off" || counter === undefined) {
    return {
      budget: bytes === "off" ? Number.POSITIVE_INFINITY : bytes,
      weigh: byteLength,
      reserve: (charge) => charge.bytes,
    };
  }
  if (bytes === "off") {
    return {
      budget: tokens,
      weigh: (text, limit, enough) => counter.count(text, limit, enough),
      reserve: (charge) => charge.tokens,
    };
  }
  const tokensPerByte = tokens / bytes;
  return {
    budget: tokens,
    weigh: (text, limit) => Math.max(counter.count(text, limit), Math.ceil(byteLength(text) * tokensPerByte)),
    reserve: (charge) => Math.max(charge.tokens, Math.ceil(charge.bytes * tokensPerByte)),
  };
}

/** A shorter text says too little when it is cut. */
const MIN_CUT_LENGTH = 200;

/** A value up to this many times the limit is written at once, a longer one piece by piece until it is over. */
const AT_ONCE_FACTOR = 8;
const CHUNK_LENGTH = 8_192;

/** The weight of a whole value; any number above `limit` once that is certain, without writing all of it. */
export function weighWhole(value: JsonValue, limit: number, gauge: TextWeigher): number {
  if (isShorter(value, limit * AT_ONCE_FACTOR)) return gauge.weigh(JSON.stringify(value), limit);
  if (!isShorter(value, limit * MAX_TOKEN_BYTES)) return limit + 1;
  let weight = 0;
  for (const chunk of jsonChunks(value, CHUNK_LENGTH)) {
    weight += gauge.weigh(chunk, limit - weight);
    if (weight > limit) break;
  }
  return weight;
}

/** Whether a value's text may be this short. */
export function isShorter(value: JsonValue, length: number): boolean {
  const least = Math.max(0, length);
  return jsonLengthAtLeast(value, least) <= least;
}

/** Whether any part of the value may be left out, by its type and its schema. */
export function isElastic(value: JsonValue, { elasticity }: CutPlace): boolean {
  if (typeof value === "string") return value.length > MIN_CUT_LENGTH && elasticity.canCutText;
  if (Array.isArray(value)) return elasticity.canDropItems && value.length > 0;
  // Trying will show whether a part inside can be left out.
  return isJsonObject(value) && keysOf(value).length > 0;
}
