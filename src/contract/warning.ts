import { stableStringify } from "../json/canonical-json.ts";
import type { JsonObject } from "../json/json-value.ts";

export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

export interface WarningRow {
  readonly code: string;
  readonly severity: Severity;
  readonly says: string;
  /** Shown in every profile even at severity info, because the reader can act on it. */
  readonly actionable?: boolean;
}

/** The six codes of seed 001, then the ones Waybill raises. Authors may use any other code. */
export const warningRows: readonly WarningRow[] = [
  { code: "CONTENT_TRUNCATED", severity: "info", says: "Content was cut to fit a limit", actionable: true },
  { code: "STALE_CACHE", severity: "warning", says: "Cached data may be old" },
  { code: "PARTIAL_FAILURE", severity: "warning", says: "Some parts failed" },
  { code: "DEPRECATED_FIELD", severity: "info", says: "The response has a deprecated field" },
  { code: "RATE_LIMIT_APPROACHING", severity: "warning", says: "The rate limit is near" },
  { code: "FALLBACK_USED", severity: "info", says: "A fallback answered" },
  {
    code: "CONTENT_DROPPED",
    severity: "warning",
    says: "Left-out content cannot be fetched",
    actionable: true,
  },
  { code: "ARCHIVE_WRITE_FAILED", severity: "warning", says: "Left-out content could not be stored" },
  {
    code: "TOKEN_BUDGET_FLOORED",
    severity: "warning",
    says: "The asked budget was too small and was raised",
  },
  {
    code: "DIALECT_NOT_ALLOWED",
    severity: "warning",
    says: "The asked dialect or profile is not offered here",
  },
  { code: "BUDGET_NOT_ALLOWED", severity: "warning", says: "The asked token budget is not offered here" },
  { code: "VERSION_NOT_SUPPORTED", severity: "warning", says: "The asked contract version is unknown" },
  { code: "FEATURE_UNKNOWN", severity: "warning", says: "The asked feature is unknown" },
];

const byCode = new Map(warningRows.map((row) => [row.code, row]));

export function warningRow(code: string | undefined): WarningRow | undefined {
  return code === undefined ? undefined : byCode.get(code);
}

export interface WarningDetail {
  readonly code?: string;
  readonly severity?: Severity;
  readonly message: string;
  readonly context?: JsonObject;
}

/** A bare string counts as `warning`; a known code without a severity takes the registry's. */
export function severityOf(warning: WarningDetail): Severity {
  return warning.severity ?? warningRow(warning.code)?.severity ?? "warning";
}

/** True for what every profile shows: severity warning or error, or something the reader can act on. */
export function isNotable(warning: WarningDetail): boolean {
  return severityOf(warning) !== "info" || warningRow(warning.code)?.actionable === true;
}

/** True when the warning says no more than its message, so that the string alone carries it. */
export function isBare(warning: WarningDetail): boolean {
  return warning.code === undefined && warning.severity === undefined && warning.context === undefined;
}

/** A known code brings its severity, so that readers need not know the registry. */
function withSeverity(warning: WarningDetail): WarningDetail {
  const { code, severity, ...rest } = warning;
  const known = severity ?? warningRow(code)?.severity;
  if (code === undefined || severity !== undefined || known === undefined) return warning;
  return { code, severity: known, ...rest };
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
 * Error first, then warning, then info; a known code with its severity; equal ones once; a bare string that a detail
 * repeats is dropped.
 * Within a severity, warnings with one message stand together, so that the list of strings gives the order back.
 */
export function orderWarnings(warnings: readonly WarningDetail[]): WarningDetail[] {
  const rank = (warning: WarningDetail): number => severities.indexOf(severityOf(warning));
  const ranked = withoutRepeats(warnings.map(withSeverity)).sort((a, b) => rank(a) - rank(b));
  // Looked up, not searched for: a batch may warn of each of its thousands of items.
  const places = new Map<string, number>();
  for (const { message } of ranked) if (!places.has(message)) places.set(message, places.size);
  const place = ({ message }: WarningDetail): number => places.get(message) ?? 0;
  return ranked.sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
