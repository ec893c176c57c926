import type { BearerAuth } from "./bearer-auth.ts";
import type { CheckJwt, JwtTimes } from "./json-web-tokens.ts";
import { type FindPrincipal, staticTokens } from "./token-rules.ts";
import {
  type Admitted,
  type AuthInfo,
  type RequestHeaders,
  type SignInVerdict,
  askForToken,
  refuseToken,
} from "./verdict.ts";

/** Longer than any token in use; a longer token is refused before anything is computed from it. */
const MAX_TOKEN_LENGTH = 16_384;

/** The token of an `Authorization` header; undefined if it has none. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

function withoutCredentials({ authorization: _consumed, ...rest }: RequestHeaders): RequestHeaders {
  return rest;
}

interface Checks {
  readonly findPrincipal: FindPrincipal;
  readonly checkJwt: (() => Promise<CheckJwt>) | undefined;
}

/**
 * By the options, which are the operator's object: keys and hashes outlive a request, and a reload brings a new options
 * object.
 */
const checksOf = new WeakMap<BearerAuth, Checks>();

function openChecks(auth: BearerAuth, times: JwtTimes | undefined): Checks {
  const known = checksOf.get(auth);
  if (known !== undefined) return known;
  const { tokens = {}, jwt } = auth;
  let opened: Promise<CheckJwt> | undefined;
  const open = async (options: NonNullable<BearerAuth["jwt"]>): Promise<CheckJwt> => {
    const { jsonWebTokens } = await import("./json-web-tokens.ts");
    return jsonWebTokens(options, times);
  };
  const made: Checks = {
    findPrincipal: staticTokens(tokens),
    checkJwt: jwt === undefined ? undefined : () => (opened ??= open(jwt)),
  };
  checksOf.set(auth, made);
  return made;
}

function admit(authInfo: AuthInfo, headers: RequestHeaders): Admitted {
  return { kind: "ok", principal: authInfo.extra.sub, authInfo, headers: withoutCredentials(headers) };
}

async function checkIssued(
  token: string,
  headers: RequestHeaders,
  auth: BearerAuth,
  check: CheckJwt,
): Promise<SignInVerdict> {
  const checked = await check(token);
  if ("kind" in checked) return checked;
  // The issuer of tokens must not be able to use the name of a principal who has one of the server's own tokens.
  if (Object.hasOwn(auth.tokens ?? {}, checked.extra.sub))
    return refuseToken(
      "The subject of the token is a name that this server gave to another caller.",
      "name-taken",
    );
  return admit(checked, headers);
}

/**
 * Identifies the sender of a request by its bearer token, or says why the request is refused. The token is neither in
 * the verdict nor in a log. `times` is for tests.
 */
export async function admitBearer(
  headers: RequestHeaders,
  auth: BearerAuth,
  times?: JwtTimes,
): Promise<SignInVerdict> {
  const token = bearerOf(headers["authorization"]);
  if (token === undefined) return askForToken();
  if (token.length > MAX_TOKEN_LENGTH) return refuseToken("The token is too long.", "too-long");
  const { findPrincipal, checkJwt } = openChecks(auth, times);
  const name = findPrincipal(token);
  if (name !== undefined) return admit({ clientId: name, scopes: [], extra: { sub: name } }, headers);
  if (checkJwt === undefined) return refuseToken("The token is not known here.", "unknown-token");
  return checkIssued(token, headers, auth, await checkJwt());
}
