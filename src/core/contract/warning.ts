import { stableStringify } from "../json/canonical-json.ts";
import type { JsonObject } from "../json/json-value.ts";

export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/**
 * The six codes of seed 001, then those that Waybill raises, each with its severity. Authors may use any other code.
 * Their sentences are in warning-rows.ts, which clients do not load.
 */
export const knownSeverities = {
  CONTENT_TRUNCATED: "info",
  STALE_CACHE: "warning",
  PARTIAL_FAILURE: "warning",
  DEPRECATED_FIELD: "info",
  RATE_LIMIT_APPROACHING: "warning",
  FALLBACK_USED: "info",
  CONTENT_DROPPED: "warning",
  ARCHIVE_WRITE_FAILED: "warning",
  TOKEN_BUDGET_FLOORED: "warning",
  DIALECT_NOT_ALLOWED: "warning",
  BUDGET_NOT_ALLOWED: "warning",
  VERSION_NOT_SUPPORTED: "warning",
  FEATURE_UNKNOWN: "warning",
  POSSIBLE_FAILURE: "info",
  POSSIBLE_CAUSE: "info",
  SELECT_FAILED: "warning",
  ARGUMENT_REPAIRED: "info",
  UPSTREAM_RESTARTED: "warning",
  NUMBERS_AS_TEXT: "warning",
  NUMBERS_ROUNDED: "warning",
  WHITESPACE_DROPPED: "info",
  FIELDS_DROPPED: "info",
} as const satisfies Readonly<Record<string, Severity>>;
export type WarningCode = keyof typeof knownSeverities;

/** Shown in every profile even at severity info, because the reader can act on it. */
export const actionableCodes: ReadonlySet<string> = new Set<WarningCode>([
  "CONTENT_TRUNCATED",
  "CONTENT_DROPPED",
  "POSSIBLE_FAILURE",
  "WHITESPACE_DROPPED",
  "FIELDS_DROPPED",
]);

/** The codes of seed 001, which tools use too. */
const seedCodes: ReadonlySet<string> = new Set<WarningCode>([
  "CONTENT_TRUNCATED",
  "STALE_CACHE",
  "PARTIAL_FAILURE",
  "DEPRECATED_FIELD",
  "RATE_LIMIT_APPROACHING",
  "FALLBACK_USED",
]);

/** True for a code that no tool uses: only Waybill raises it. */
export function isOurWarning(code: string | undefined): boolean {
  return isKnown(code) && !seedCodes.has(code);
}

function isKnown(code: string | undefined): code is WarningCode {
  return code !== undefined && Object.hasOwn(knownSeverities, code);
}

export interface WarningDetail {
  readonly code?: string;
  readonly severity?: Severity;
  readonly message: string;
  readonly context?: JsonObject;
}

/** A bare string counts as `warning`; a known code without a severity takes the registry's. */
export function warningSeverity(warning: WarningDetail): Severity {
  const { severity, code } = warning;
  return severity ?? (isKnown(code) ? knownSeverities[code] : "warning");
}

/** True for what every profile shows: severity warning or error, or something the reader can act on. */
export function isNotable(warning: WarningDetail): boolean {
  return warningSeverity(warning) !== "info" || actionableCodes.has(warning.code ?? "");
}

/** True when the warning says no more than its message, so that the string alone carries it. */
export function isBare(warning: WarningDetail): boolean {
  return warning.code === undefined && warning.severity === undefined && warning.context === undefined;
}

/** A code brings its severity, so that readers need not know the registry; an author's own code counts as `warning`. */
function withSeverity(warning: WarningDetail): WarningDetail {
  const { code, severity, ...rest } = warning;
  return severity !== undefined || code === undefined
    ? warning
    : { code, severity: warningSeverity(warning), ...rest };
}

function withoutRepeats(warnings: readonly WarningDetail[]): WarningDetail[] {
  const spoken = new Set(warnings.filter((warning) => !isBare(warning)).map((warning) => warning.message));
  const seen = new Set<string>();
  return warnings.filter((warning) => {
    if (isBare(warning) && spoken.has(warning.message)) return false;
    const key = stableStringify({ ...warning });
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Errors first, then warnings, then info. Each code gets its severity, duplicates are dropped, and so is a bare string
 * that a detail repeats.
 * Within a severity, warnings with the same message are adjacent, so that the list of strings gives the order back.
 */
export function orderWarnings(warnings: readonly WarningDetail[]): WarningDetail[] {
  const rank = (warning: WarningDetail): number => severities.indexOf(warningSeverity(warning));
  const ranked = withoutRepeats(warnings.map(withSeverity)).sort((a, b) => rank(a) - rank(b));
  // A map, not a search: a batch may warn about each of its thousands of items.
  const places = new Map<string, number>();
  for (const { message } of ranked) if (!places.has(message)) places.set(message, places.size);
  const place = ({ message }: WarningDetail): number => places.get(message) ?? 0;
  return ranked.sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
