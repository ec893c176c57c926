// What a server refused before its tool ran, and says so in a form of its own. Loaded with the first such refusal.

import { RATE_LIMIT_ERROR, ResponseError, retryAfterIn } from "../../core/contract/response-error.ts";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import type { Called } from "./answer.ts";

export function refusedCall(error: unknown, called: Called): ResponseError {
  const { code } = error as { readonly code?: unknown };
  return code === RATE_LIMIT_ERROR ? rateRefusal(error, called) : scopeRefusal(error, called);
}

/** A refusal because of the server's rate limit, in the form of the draft. */
function rateRefusal(error: unknown, { tool }: Called): ResponseError {
  const { message = "", code, data } = error as { readonly message?: string; code: number; data?: unknown };
  const wait = retryAfterIn(data);
  return new ResponseError(
    {
      message: message === "" ? "The server limits its requests" : message,
      code: "RATE_LIMIT_EXCEEDED",
      type: "rate_limit",
      remediation: "Wait, then call again.",
      details: { tool, executed: "no", json_rpc_code: code },
      ...(wait === undefined ? {} : { data: { retry_after_seconds: wait } }),
    },
    {},
    { cause: error },
  );
}

/** What the errors of SDK clients say of a refusal by HTTP: v2 in fields, v1 with its body in the message. */
interface ScopeError {
  readonly message?: string;
  readonly requiredScope?: unknown;
  readonly errorDescription?: unknown;
}

/** A refusal, with 403, of a caller who lacks a scope. */
function scopeRefusal(error: unknown, { tool }: Called): ResponseError {
  const { message = "", requiredScope, errorDescription } = error as ScopeError;
  const body = jsonIn(/\{.*\}$/s.exec(message)?.[0] ?? "");
  const refused = isJsonObject(body) && isJsonObject(body["error"]) ? body["error"] : {};
  const data = isJsonObject(refused["data"]) ? refused["data"] : {};
  const scope = [requiredScope, data["required_permission"]].find((each) => typeof each === "string");
  const says = [errorDescription, refused["message"]].find((each) => typeof each === "string");
  const remediation = data["remediation"];
  return new ResponseError(
    {
      message: says?.replace(/^Forbidden: /, "") ?? `${tool} needs a scope that this sign-in does not have`,
      code: "FORBIDDEN",
      type: "authorization",
      remediation:
        typeof remediation === "string"
          ? remediation
          : `Sign in again${scope === undefined ? "" : ` with the scope ${scope}`}, then call again.`,
      details: { tool, executed: "no" },
      ...(scope === undefined ? {} : { data: { required_permission: scope } }),
    },
    {},
    { cause: error },
  );
}
