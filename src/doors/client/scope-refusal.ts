import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import type { Called } from "./answer.ts";

/** What the errors of SDK clients say of a refusal by HTTP: v2 in fields, v1 with its body in the message. */
interface ScopeError {
  readonly message?: string;
  readonly requiredScope?: unknown;
  readonly errorDescription?: unknown;
}

/** A server's refusal, with 403, of a caller who lacks a scope: the tool did not run. */
export function scopeRefusal(error: unknown, { tool }: Called): ResponseError {
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
