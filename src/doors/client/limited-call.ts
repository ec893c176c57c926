import { ResponseError, retryAfterIn } from "../../core/contract/response-error.ts";
import type { Called } from "./answer.ts";

/** A server's refusal because of its rate limit, in the form of the draft: the tool did not run. */
export function limitedCall(error: unknown, { tool }: Called): ResponseError {
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
