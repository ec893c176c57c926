// SEP-3304, a draft without a sponsor: a JSON-RPC error with which a server refuses a request because of its rate
// limit. The client reads this error. Nothing here sends it: the code belongs to the specification until it is
// accepted.

import { isJsonObject } from "../../json/json-value.ts";

export const RATE_LIMIT_ERROR = -32023;

/** The seconds to wait that the error's `data` names, rounded up. */
export function retryAfterIn(data: unknown): number | undefined {
  const ms = isJsonObject(data) ? data["retryAfterMs"] : undefined;
  return typeof ms === "number" && ms >= 0 ? Math.ceil(ms / 1_000) : undefined;
}
