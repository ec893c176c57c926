import type { JsonObject } from "../../../core/json/json-value.ts";

/** Headers of one HTTP request, with names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** The caller, in the form in which the SDKs give it to handlers. Without the token, which is not needed again. */
export interface AuthInfo {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly extra: {
    readonly sub: string;
    /** All that the issuer signed. No more than fits into the longest token that is taken. */
    readonly claims?: JsonObject | undefined;
  };
}

export interface Admitted {
  readonly kind: "ok";
  /** Separates callers: each has its own processes and archives. */
  readonly principal: string;
  /** Only what was verified here. */
  readonly authInfo: AuthInfo | undefined;
  /** The headers to forward: without credentials if they were consumed here. */
  readonly headers: RequestHeaders;
  /** At an address of several servers: the caller as each server admits it, by the names of those that do. */
  readonly each?: ReadonlyMap<string, Admitted> | undefined;
}

export interface Refused {
  readonly kind: "refused";
  readonly status: 401 | 503;
  /** For the `WWW-Authenticate` header of a 401. */
  readonly wwwAuthenticate: string | undefined;
  /** For the caller: what is wrong and what to do, never the token. */
  readonly message: string;
  /** For the log: a short word such as `ERR_JWT_EXPIRED`, never the token. */
  readonly reason: string;
}

export type SignInVerdict = Admitted | Refused;

/** Every challenge begins with it. */
export const CHALLENGE = 'Bearer realm="waybill"';

/** A request without credentials is only asked to send some (RFC 6750, section 3.1). */
export function askForToken(): Refused {
  return {
    kind: "refused",
    status: 401,
    wwwAuthenticate: CHALLENGE,
    message: "This server needs a bearer token: send the header Authorization: Bearer <token>.",
    reason: "no-token",
  };
}

/** `message` must not contain quotation marks: it is repeated inside a quoted header value. */
export function refuseToken(message: string, reason: string): Refused {
  const wwwAuthenticate = `${CHALLENGE}, error="invalid_token", error_description="${message}"`;
  return { kind: "refused", status: 401, wwwAuthenticate, message, reason };
}

/** The token cannot be checked now; it may be valid. */
export function cannotJudge(reason: string): Refused {
  const message = "The keys that tokens are checked with cannot be fetched now. Try again in a few seconds.";
  return { kind: "refused", status: 503, wwwAuthenticate: undefined, message, reason };
}
