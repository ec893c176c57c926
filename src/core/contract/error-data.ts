import { type JsonObject, type JsonValue, isJsonObject, mapObject, setOwn } from "../json/json-value.ts";
import type { errorRows } from "./error-registry.ts";
import type { Fault } from "./outcome.ts";

// The part of the registry that readers of envelopes need, without its sentences: a client loads this in the browser.
// The types come from the rows, so a code added, moved or renamed there does not compile until it is listed here.

type Row = (typeof errorRows)[number];
type TypeByCode = { readonly [One in Row as One["code"]]: One["type"] };
type Aliased = Extract<Row, { readonly aliases: readonly string[] }>;
type CodeByAlias = { readonly [One in Aliased as One["aliases"][number]]: One["code"] };
type Ruled = Extract<Row, { readonly retry: RetryRule }>;
type RuleByCode = { readonly [One in Ruled as One["code"]]: One["retry"] };

const typeByCode: TypeByCode = {
  VALIDATION_ERROR: "validation",
  INVALID_FORMAT: "validation",
  MISSING_REQUIRED: "validation",
  INVALID_CURSOR: "validation",
  INVALID_PATH: "validation",
  CORRECTION_NEEDED: "validation",
  TOO_LARGE: "validation",
  NOT_FOUND: "not_found",
  SPEC_NOT_FOUND: "not_found",
  TASK_NOT_FOUND: "not_found",
  DUPLICATE_ENTRY: "conflict",
  CONFLICT: "conflict",
  DEPENDENCY_ERROR: "conflict",
  UNAUTHORIZED: "authentication",
  FORBIDDEN: "authorization",
  FEATURE_DISABLED: "feature_flag",
  UPGRADE_REQUIRED: "feature_flag",
  RATE_LIMIT_EXCEEDED: "rate_limit",
  RESOURCE_EXHAUSTED: "unavailable",
  TIMEOUT: "unavailable",
  UNAVAILABLE: "unavailable",
  NOT_IMPLEMENTED: "internal",
  OPERATION_FAILED: "internal",
  INTERNAL_ERROR: "internal",
};

const codeByAlias: CodeByAlias = {
  ALREADY_EXISTS: "DUPLICATE_ENTRY",
  INVALID_STATE: "CONFLICT",
  INVALID_STATE_TRANSITION: "CONFLICT",
  VERSION_CONFLICT: "CONFLICT",
  UNAUTHENTICATED: "UNAUTHORIZED",
  AUTHORIZATION: "FORBIDDEN",
  PERMISSION_DENIED: "FORBIDDEN",
  RATE_LIMITED: "RATE_LIMIT_EXCEEDED",
  DEPENDENCY_UNAVAILABLE: "UNAVAILABLE",
  RESOURCE_BUSY: "UNAVAILABLE",
};

// What failed without saying why is a failing query or script more often than a server that comes back.
const ruleByCode: RuleByCode = { NOT_IMPLEMENTED: "never", OPERATION_FAILED: "fix_input" };

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The registry's name for a code, which may be an alias or an author's own. */
export function canonicalCode(code: string): string {
  return own<string>(codeByAlias, code) ?? code;
}

/** The type of a code of the registry. */
export function typeOfCode(code: string): ErrorType | undefined {
  return own<ErrorType>(typeByCode, canonicalCode(code));
}

/** What a caller may do about a code of the registry: the code's own rule, else its type's. */
export function retryRuleOfCode(code: string): RetryRule | undefined {
  const type = typeOfCode(code);
  return own<RetryRule>(ruleByCode, canonicalCode(code)) ?? (type && errorTypeTable[type].retry);
}

const ownKeys = new Set(["error_code", "error_type", "remediation", "details"]);

/** Code follows from type and type from code; with neither, the failure is internal. */
export function completeCodeAndType(code?: string, type?: string): { code: string; type: string } {
  const codeOfType = isErrorType(type) ? errorTypeTable[type].code : "INTERNAL_ERROR";
  return { code: code ?? codeOfType, type: type ?? typeOfCode(code ?? "") ?? "internal" };
}

/** A fault as the `data` of a failed response-v2 envelope: the four standard fields first, then the rest. */
export function writeErrorData(fault: Fault): JsonObject {
  const data: Record<string, JsonValue> = { error_code: fault.code, error_type: fault.type };
  if (fault.remediation !== undefined) data["remediation"] = fault.remediation;
  if (fault.details !== undefined && Object.keys(fault.details).length > 0) data["details"] = fault.details;
  for (const [key, value] of Object.entries(fault.data ?? {})) {
    if (!ownKeys.has(key)) setOwn(data, key, value);
  }
  return data;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The fault that a failed envelope describes in `error` and `data`. */
export function readErrorData(message: string, data: JsonObject): Fault {
  const { code, type } = completeCodeAndType(textOf(data["error_code"]), textOf(data["error_type"]));
  const remediation = textOf(data["remediation"]);
  const details = data["details"];
  const rest = mapObject(data, (value, key) => (ownKeys.has(key) ? undefined : value));
  return {
    message,
    code,
    type,
    ...(remediation === undefined ? {} : { remediation }),
    ...(isJsonObject(details) && Object.keys(details).length > 0 ? { details } : {}),
    ...(Object.keys(rest).length > 0 ? { data: rest } : {}),
  };
}

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

interface ErrorTypeRow {
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
