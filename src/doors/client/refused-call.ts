// What a server refused before its tool ran, and says so in a form of its own. Loaded with the first such refusal.

import { RATE_LIMIT_ERROR, type ResponseError } from "../../core/contract/response-error.ts";
import type { Called } from "./answer.ts";
import { limitedCall } from "./limited-call.ts";
import { scopeRefusal } from "./scope-refusal.ts";

export function refusedCall(error: unknown, called: Called): ResponseError {
  const { code } = error as { readonly code?: unknown };
  return code === RATE_LIMIT_ERROR ? limitedCall(error, called) : scopeRefusal(error, called);
}
