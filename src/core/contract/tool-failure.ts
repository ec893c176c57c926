// SEP-3313, a draft without a sponsor: the kind of a failed result's failure, under a reserved key of `_meta`. Always
// read if a server sends it; written only if the option `standards` asks for it.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { canonicalCode, typeOfCode, type ErrorType } from "./error-data.ts";
import type { Failure, Fault } from "./outcome.ts";

export const TOOL_FAILURE_META_KEY = "io.modelcontextprotocol/toolFailure";

type FailureClass = "governance" | "capability" | "reliability";

/** The draft's words for each of our types; words for a single code take precedence. */
const wordsOfType: Readonly<Record<ErrorType, readonly [FailureClass, string]>> = {
  validation: ["capability", "invalid_input"],
  authentication: ["governance", "auth_required"],
  authorization: ["governance", "permission_denied"],
  not_found: ["capability", "resource_not_found"],
  conflict: ["capability", "conflict"],
  rate_limit: ["reliability", "rate_limited"],
  feature_flag: ["governance", "policy_blocked"],
  internal: ["reliability", "internal_error"],
  unavailable: ["reliability", "retryable_transient_error"],
};

const wordsOfCode: Readonly<Record<string, readonly [FailureClass, string]>> = {
  UPGRADE_REQUIRED: ["governance", "user_action_required"],
  OPERATION_FAILED: ["reliability", "operation_failed"],
  NOT_IMPLEMENTED: ["capability", "capability_unsupported"],
};

/** Only these two types promise that the same call can succeed later. */
const retryableTypes: ReadonlySet<string> = new Set(["rate_limit", "unavailable"]);

interface SentFailure {
  /** Made by the server, never taken from the request. */
  readonly correlationId: string;
  readonly nowMs: number;
}

function retryNotBefore({ fault, notes }: Failure, nowMs: number): number | undefined {
  const resetAt = Date.parse(notes.rateLimit?.reset_at ?? "");
  if (resetAt > 0) return resetAt;
  const seconds = fault.data?.["retry_after_seconds"];
  return typeof seconds === "number" && seconds > 0 ? nowMs + Math.ceil(seconds * 1_000) : undefined;
}

/** A failure in the draft's words. */
export function writeToolFailure(failure: Failure, { correlationId, nowMs }: SentFailure): JsonObject {
  const { code: ours, type, remediation } = failure.fault;
  const canonical = canonicalCode(ours);
  const known = typeOfCode(canonical) ?? type;
  const [group, code] = wordsOfCode[canonical] ??
    wordsOfType[known as ErrorType] ?? ["reliability", "operation_failed"];
  const isRetryable = retryableTypes.has(known);
  const notBefore = isRetryable ? retryNotBefore(failure, nowMs) : undefined;
  return {
    class: group,
    code,
    correlationId,
    ...(isRetryable ? { retryable: true } : {}),
    ...(notBefore === undefined ? {} : { retryNotBefore: notBefore }),
    ...(remediation === undefined || remediation === "" ? {} : { agentGuidance: remediation }),
  };
}

const codeOfWord: Readonly<Record<string, string>> = {
  invalid_input: "VALIDATION_ERROR",
  auth_required: "UNAUTHORIZED",
  permission_denied: "FORBIDDEN",
  resource_not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  rate_limited: "RATE_LIMIT_EXCEEDED",
  policy_blocked: "FEATURE_DISABLED",
  user_action_required: "UPGRADE_REQUIRED",
  internal_error: "INTERNAL_ERROR",
  operation_failed: "OPERATION_FAILED",
  capability_unsupported: "NOT_IMPLEMENTED",
  retryable_transient_error: "UNAVAILABLE",
};

/** If a code is not registered, its class still says whether the same call can succeed later. */
const codeOfClass: Readonly<Record<string, string>> = {
  governance: "FORBIDDEN",
  capability: "NOT_IMPLEMENTED",
  reliability: "OPERATION_FAILED",
};

/** What another server's failure says of itself in the draft's words; undefined if none of it can be read. */
export function readToolFailure(
  meta: JsonObject | undefined,
  nowMs: number = Date.now(),
): Pick<Fault, "code" | "type" | "remediation" | "details" | "data"> | undefined {
  const said = meta?.[TOOL_FAILURE_META_KEY];
  if (!isJsonObject(said)) return undefined;
  const { class: group, code: word, retryable, retryNotBefore: notBefore, agentGuidance: guidance } = said;
  if (typeof group !== "string" || !Object.hasOwn(codeOfClass, group)) return undefined;
  const isKnown = typeof word === "string" && Object.hasOwn(codeOfWord, word);
  const mayRetry = group === "reliability" && retryable === true;
  const code = (isKnown ? codeOfWord[word] : mayRetry ? "UNAVAILABLE" : codeOfClass[group]) ?? "";
  const type = typeOfCode(code) ?? "internal";
  // A registered code keeps its own rule unless the server denies a retry; any other may be retried only if the server
  // says so.
  const isFinal = retryable === false || (!isKnown && group === "reliability" && !mayRetry);
  const waitMs = !isFinal && typeof notBefore === "number" ? notBefore - nowMs : 0;
  return {
    code,
    type,
    ...(typeof guidance === "string" && guidance !== "" ? { remediation: guidance } : {}),
    ...(isFinal ? { details: { retryable: false } } : {}),
    ...(waitMs > 0 ? { data: { retry_after_seconds: Math.ceil(waitMs / 1_000) } } : {}),
  };
}
