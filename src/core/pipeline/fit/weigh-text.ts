import { jsonChunks, jsonLengthAtLeast } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { keysOf } from "../../json/object-keys.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { FitContext } from "../parcel.ts";
import type { CutPlace } from "./cut-place.ts";
import type { Charge } from "./weigh-parcel.ts";

/** Weighs texts against the budget. With two limits, a text weighs as much as the stricter one says. */
export interface TextWeigher {
  readonly budget: number;
  /**
   * Stops once it is above `limit`, and then answers some number above it. It may stop once the weight is surely at
   * most `enough`, and then answers a number that is not too small and not above that.
   */
  weigh(text: string, limit?: number, enough?: number): number;
  /** Reserves room for something that is added later. */
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

/** Shorter texts say too little when cut. */
const MIN_CUT_LENGTH = 200;

/** Up to this many times the limit a value is written at once; a longer one piece by piece, until it is over. */
const AT_ONCE_FACTOR = 8;
const CHUNK_LENGTH = 8_192;

/** What a value weighs whole; some number above `limit` once it is sure to be, without writing all of it. */
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

/** Whether a value's text may be as short as that. */
export function isShorter(value: JsonValue, length: number): boolean {
  const least = Math.max(0, length);
  return jsonLengthAtLeast(value, least) <= least;
}

/** Whether anything of the value may be left out, by what it is and what the schema says. */
export function isElastic(value: JsonValue, { elasticity }: CutPlace): boolean {
  if (typeof value === "string") return value.length > MIN_CUT_LENGTH && elasticity.canCutText;
  if (Array.isArray(value)) return elasticity.canDropItems && value.length > 0;
  // Whether a part inside can be left out shows when it is tried.
  return isJsonObject(value) && keysOf(value).length > 0;
}
