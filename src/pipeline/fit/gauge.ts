import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { FitContext } from "../parcel.ts";
import type { Charge } from "./steady-notes.ts";

/** Weighs texts against the budget. With two limits, a text weighs as much as the stricter one says. */
export interface Gauge {
  readonly budget: number;
  /** Stops once it is above `limit`, and then answers some number above it. */
  weigh(text: string, limit?: number): number;
  /** What is set aside for a charge. */
  reserve(charge: Charge): number;
}

/** No vocabulary has longer tokens, so a text cannot weigh less than this share of its bytes. */
export const MAX_TOKEN_BYTES = 128;

type GaugeParts = Pick<FitContext, "budget" | "byteLength"> & { readonly counter: TokenCounter | undefined };

export function makeGauge({ budget, byteLength, counter }: GaugeParts): Gauge {
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
      weigh: (text, limit) => counter.count(text, limit),
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
