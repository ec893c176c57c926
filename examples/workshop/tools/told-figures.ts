import type { RateLimit } from "waybill";
import * as z from "zod";

/** What callers may ask to be told beside an answer. What a tool says itself is sent in every profile. */
export const tellArgument = z
  .array(z.enum(["timing", "quota"]))
  .optional()
  .describe("Also tell how the work went, or how many calls are left.");

export type Told = z.infer<typeof tellArgument>;

const LIMIT = 100;
const PERIOD_MS = 60_000;

/** The library behind a tool answers a hundred calls a minute, and says what is left. */
export class LibraryQuota {
  #used = 0;
  #resetAt = 0;

  take(): RateLimit {
    if (Date.now() >= this.#resetAt) {
      this.#used = 0;
      this.#resetAt = Date.now() + PERIOD_MS;
    }
    this.#used = Math.min(this.#used + 1, LIMIT);
    return { limit: LIMIT, remaining: LIMIT - this.#used, reset_at: new Date(this.#resetAt).toISOString() };
  }
}

/** The figures that were asked for, as options of `successResponse`. */
export function toldFigures(
  tell: Told = [],
  { startedAt, rateLimit }: { readonly startedAt: number; readonly rateLimit: RateLimit },
): { telemetry?: { duration_ms: number }; rateLimit?: RateLimit } {
  return {
    ...(tell.includes("timing")
      ? { telemetry: { duration_ms: Math.round(performance.now() - startedAt) } }
      : {}),
    ...(tell.includes("quota") ? { rateLimit } : {}),
  };
}
