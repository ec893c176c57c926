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
  { code: "STALE_CACHE", severity: "warning", says: "Cached data may be out of date" },
  { code: "PARTIAL_FAILURE", severity: "warning", says: "Some parts failed, the whole went on" },
  { code: "DEPRECATED_FIELD", severity: "info", says: "The response has a deprecated field" },
  { code: "RATE_LIMIT_APPROACHING", severity: "warning", says: "The rate limit is near" },
  { code: "FALLBACK_USED", severity: "info", says: "The first choice was away, a fallback answered" },
  {
    code: "CONTENT_DROPPED",
    severity: "warning",
    says: "Content was left out and cannot be fetched",
    actionable: true,
  },
  { code: "ARCHIVE_WRITE_FAILED", severity: "warning", says: "The omitted content could not be stored" },
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
