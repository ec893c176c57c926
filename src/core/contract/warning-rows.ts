import { type Severity, type WarningCode, actionableCodes, knownSeverities } from "./warning.ts";

export interface WarningRow {
  readonly code: string;
  readonly severity: Severity;
  readonly says: string;
  /** Shown in every profile even at severity info, because the reader can act on it. */
  readonly actionable?: boolean;
}

const sentences: Readonly<Record<WarningCode, string>> = {
  CONTENT_TRUNCATED: "Content was cut to fit a limit",
  STALE_CACHE: "Cached data may be old",
  PARTIAL_FAILURE: "Some parts failed",
  DEPRECATED_FIELD: "The response has a deprecated field",
  RATE_LIMIT_APPROACHING: "The rate limit is near",
  FALLBACK_USED: "A fallback answered",
  CONTENT_DROPPED: "Left-out content cannot be fetched",
  ARCHIVE_WRITE_FAILED: "Left-out content could not be stored",
  TOKEN_BUDGET_FLOORED: "The asked budget was too small and was raised",
  DIALECT_NOT_ALLOWED: "The asked dialect or profile is not offered here",
  BUDGET_NOT_ALLOWED: "The asked token budget is not offered here",
  VERSION_NOT_SUPPORTED: "The asked contract version is unknown",
  FEATURE_UNKNOWN: "The asked feature is unknown",
  POSSIBLE_FAILURE: "A result of another server reads like a failure, but is not marked as one",
  POSSIBLE_CAUSE: "What the text of another server's failure may mean",
  SELECT_FAILED: "The question to the result could not be answered; the result itself is there",
  ARGUMENT_REPAIRED: "An argument did not fit the tool's schema, and was repaired",
  UPSTREAM_RESTARTED: "The server behind the gateway was restarted",
  NUMBERS_AS_TEXT: "Numbers that JavaScript cannot keep are here as text, with all their digits",
  NUMBERS_ROUNDED: "Numbers beyond 2^53 may have been rounded before they got here: send them as text",
  WHITESPACE_DROPPED: "JSON was written without spaces to fit; the server's own text is kept",
  FIELDS_DROPPED: "Fields that a model does not need were left out; the whole is kept",
};

function rowOf([code, says]: [string, string]): WarningRow {
  const severity = knownSeverities[code as WarningCode];
  return actionableCodes.has(code) ? { code, severity, says, actionable: true } : { code, severity, says };
}

/** The registry of warnings for people: every code with its severity and its sentence. */
export const warningRows: readonly WarningRow[] = Object.entries(sentences).map(rowOf);
