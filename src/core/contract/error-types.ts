/** The nine categories of seed 001, in its order. */
export const errorTypes = [
  "validation",
  "authentication",
  "authorization",
  "not_found",
  "conflict",
  "rate_limit",
  "feature_flag",
  "internal",
  "unavailable",
] as const;

export type ErrorType = (typeof errorTypes)[number];

/** What a caller may do about a failure. */
export const retryRules = [
  "fix_input",
  "reauthenticate",
  "never",
  "check_state",
  "check_flag",
  "after_delay",
  "backoff",
] as const;
export type RetryRule = (typeof retryRules)[number];

export interface ErrorTypeRow {
  readonly http: number;
  readonly retry: RetryRule;
  readonly says: string;
  /** The code a failure gets when only its type is known. */
  readonly code: string;
}

export const errorTypeTable: Readonly<Record<ErrorType, ErrorTypeRow>> = {
  validation: { http: 400, retry: "fix_input", says: "The input is wrong", code: "VALIDATION_ERROR" },
  authentication: {
    http: 401,
    retry: "reauthenticate",
    says: "Credentials are missing or invalid",
    code: "UNAUTHORIZED",
  },
  authorization: { http: 403, retry: "never", says: "The caller may not do this", code: "FORBIDDEN" },
  not_found: { http: 404, retry: "never", says: "The resource does not exist", code: "NOT_FOUND" },
  conflict: { http: 409, retry: "check_state", says: "The current state forbids it", code: "CONFLICT" },
  rate_limit: { http: 429, retry: "after_delay", says: "Too many requests", code: "RATE_LIMIT_EXCEEDED" },
  feature_flag: {
    http: 403,
    retry: "check_flag",
    says: "The feature is not enabled for this caller",
    code: "FEATURE_DISABLED",
  },
  internal: { http: 500, retry: "backoff", says: "The server failed", code: "INTERNAL_ERROR" },
  unavailable: { http: 503, retry: "backoff", says: "The service is away for now", code: "UNAVAILABLE" },
};

export function isErrorType(value: unknown): value is ErrorType {
  return typeof value === "string" && Object.hasOwn(errorTypeTable, value);
}
