import { type JsonObject, type JsonValue, isJsonObject, mapObject, setOwn } from "../json/json-value.ts";
import type { errorRows } from "./error-rows.ts";
import { type ErrorType, type RetryRule, errorTypeTable, isErrorType } from "./error-types.ts";
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

const ruleByCode: RuleByCode = { NOT_IMPLEMENTED: "never" };

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
