import { admitBearer } from "../../../engine/request/sign-in/admit-bearer.ts";
import type { JwtTimes } from "../../../engine/request/sign-in/json-web-tokens.ts";
import type { RequestHeaders, SignInVerdict } from "../../../engine/request/sign-in/verdict.ts";
import type { UpstreamAuth } from "../gateway-options.ts";

/** The name that all unidentified callers share. */
const ANONYMOUS = "anonymous";

/**
 * Identifies the sender of a request to one upstream, or says why the request is refused. Tokens that the gateway checks
 * itself go no further. `times` is for tests.
 */
export async function authenticate(
  headers: RequestHeaders,
  auth: UpstreamAuth = "none",
  times?: JwtTimes,
): Promise<SignInVerdict> {
  if (typeof auth === "object" && auth.gateway !== undefined)
    return admitBearer(headers, auth.gateway, times);
  // If a server identifies callers by credentials that pass through, only the forwarding code can tell callers apart.
  return { kind: "ok", principal: ANONYMOUS, authInfo: undefined, headers };
}
