import * as z from "zod/mini";
import { amount, count } from "./meta-fields.ts";

// Zod's own check of date times also loads dates, times and durations, which pages that build envelopes do not need.
const form = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether the day exists: `Date` turns the 30th of February into the 2nd of March. */
function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(day).getUTCDate() === Number(day.slice(8));
}

const advice = "is not an ISO 8601 time in UTC, like 2026-01-31T12:00:00Z";

// Python writes UTC as +00:00, JavaScript as Z; both are ISO 8601.
const utcDateTime = z
  .string(advice)
  .check(
    z.regex(form, advice),
    z.refine(isRealDay, advice),
    z.refine((text) => /(Z|[+-]00:00)$/.test(text), "is not in UTC"),
  )
  .register(z.globalRegistry, { format: "date-time" });

export const rateLimitSchema = z
  .looseObject({
    limit: z.nullish(count),
    remaining: z.nullish(count),
    reset_at: z.nullish(utcDateTime),
    period: z.nullish(z.string()),
    retry_after: z.nullish(amount),
  })
  .register(z.globalRegistry, {
    id: "RateLimit",
    description: "The caller's quota: what is left, and when it is whole again.",
  });

export interface RateLimit {
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset_at?: string;
  readonly period?: string;
  readonly retry_after?: number;
}

/** A rate limit as a tool may give it: `reset_at` is a text, a Date, or seconds since 1970, as in headers. */
export type RateLimitOption = Omit<RateLimit, "reset_at"> & {
  readonly reset_at?: string | number | Date | undefined;
};

/** The rate limit with `reset_at` as a text. A value that is not a time stays, and is refused with `meta`. */
export function datedLimit(limit: RateLimitOption | undefined): RateLimit | undefined {
  const reset = limit?.reset_at;
  const time = typeof reset === "number" ? new Date(reset * 1000) : reset;
  if (!(time instanceof Date) || Number.isNaN(time.getTime())) return limit as RateLimit | undefined;
  return { ...limit, reset_at: time.toISOString() };
}

/** With a tenth of the quota left, the caller is told in every profile. */
const EDGE_SHARE = 0.1;

/** Refused, or so close to the limit that the caller should slow down. */
export function isNearEdge(rateLimit: RateLimit): boolean {
  if (rateLimit.retry_after !== undefined && rateLimit.retry_after !== null) return true;
  if (typeof rateLimit.remaining !== "number") return false;
  return rateLimit.remaining <= (rateLimit.limit ?? 0) * EDGE_SHARE;
}
