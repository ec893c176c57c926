import * as z from "zod/mini";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { fidelityLevels } from "./outcome.ts";
import { severities } from "./warning.ts";

export const filledText = z.string().check(z.minLength(1));
export const texts = z.array(z.string());
export const amountSchema = z.number().check(z.minimum(0));
export const countSchema = z.int().check(z.minimum(0));

// Zod never parses free-form objects: it would drop `__proto__` and copy the whole payload. Our own code checks them.
export const jsonObject = z
  .custom<JsonObject>(isJsonObject, { error: "is not an object" })
  .register(z.globalRegistry, { type: "object" });

export const fidelityLevelSchema = z.enum(fidelityLevels);

export const archiveHashSchema = z
  .string()
  .check(z.regex(/^sha256:[a-f0-9]{64}$/, { error: "is not `sha256:` and 64 lower-case hex digits" }));

export const archiveHashesSchema = z.record(filledText, archiveHashSchema);

export const upgradeHintSchema = z
  .looseObject({ feature: filledText, tier: filledText, reason: z.string() })
  .register(z.globalRegistry, {
    id: "UpgradeHint",
    description: "A feature that another tier would unlock, and why it is not here.",
  });

// The schemas are separate from the code that reads and orders warnings: a client in a browser does without Zod.
const severitySchema = z.enum(severities);

export const warningDetailSchema = z
  .looseObject({
    code: z.nullish(filledText),
    severity: z.nullish(severitySchema),
    message: filledText,
    context: z.nullish(jsonObject),
  })
  .register(z.globalRegistry, {
    id: "WarningDetail",
    description: "A non-fatal issue: machine-readable code, severity, message, context.",
  });

export const telemetrySchema = z
  .looseObject({
    duration_ms: z.nullish(amountSchema),
    downstream_calls: z.nullish(countSchema),
    cache_hit: z.nullish(z.boolean()),
  })
  .register(z.globalRegistry, {
    id: "Telemetry",
    description: "How the work went: time, downstream calls, cache; own figures may follow.",
  });

export interface Telemetry {
  readonly duration_ms?: number;
  readonly downstream_calls?: number;
  readonly cache_hit?: boolean;
  readonly [figure: string]: JsonValue | undefined;
}

/** A page size outside this range is clamped, never refused. */
const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

const positive = z.int().check(z.minimum(1));

export const paginationSchema = z
  .looseObject({
    cursor: z.nullish(z.string()),
    has_more: z.nullish(z.boolean()),
    total_count: z.nullish(countSchema),
    page_size: z.nullish(positive),
    page: z.nullish(positive),
  })
  .register(z.globalRegistry, {
    id: "Pagination",
    description: "Where the next page is; `has_more: false` exactly when there is no cursor.",
  });

export interface Pagination {
  readonly cursor?: string | null;
  readonly has_more?: boolean;
  readonly total_count?: number;
  readonly page_size?: number;
  readonly page?: number;
}

/** There are more pages exactly if there is a cursor. A missing field contradicts nothing. */
export function agreesWithCursor(pagination: Pagination): boolean {
  if (pagination.has_more === undefined || pagination.has_more === null) return true;
  const cursor = pagination.cursor ?? "";
  return pagination.has_more === (cursor !== "");
}

/** The effective limit of a request: default 100, at least 1, at most 1,000 (or the tool's own maximum). */
export function clampPageSize(
  asked: number | undefined,
  limits: { fallback?: number; max?: number } = {},
): number {
  const max = limits.max ?? MAX_PAGE_SIZE;
  const size = asked === undefined || Number.isNaN(asked) ? (limits.fallback ?? DEFAULT_PAGE_SIZE) : asked;
  return Math.min(Math.max(1, Math.trunc(size)), max);
}

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
    limit: z.nullish(countSchema),
    remaining: z.nullish(countSchema),
    reset_at: z.nullish(utcDateTime),
    period: z.nullish(z.string()),
    retry_after: z.nullish(amountSchema),
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

export const RESPONSE_VERSION = "response-v2";

/** Keys of seed 001 in its order, then those that Waybill adds. A writer uses this order; a reader accepts any. */
export const metaSchema = z
  .looseObject({
    version: z.literal(RESPONSE_VERSION),
    request_id: z.nullish(filledText),
    warnings: z.nullish(texts),
    warning_details: z.nullish(z.array(warningDetailSchema)),
    pagination: z.nullish(paginationSchema),
    rate_limit: z.nullish(rateLimitSchema),
    telemetry: z.nullish(telemetrySchema),
    content_fidelity: z.nullish(fidelityLevelSchema),
    content_fidelity_schema_version: z.nullish(z.string()),
    dropped_content_ids: z.nullish(texts),
    content_archive_hashes: z.nullish(archiveHashesSchema),
    upgrade_hints: z.nullish(z.array(upgradeHintSchema)),
    tool_id: z.nullish(z.string()),
    tool_version: z.nullish(z.string()),
    tier: z.nullish(z.string()),
    capabilities: z.nullish(texts),
    provenance: z.nullish(z.string()),
  })
  .register(z.globalRegistry, {
    id: "Meta",
    description: "Operational context. Optional keys are left out when empty; unknown keys are allowed.",
  });
