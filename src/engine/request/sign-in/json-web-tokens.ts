// JSON Web Tokens, checked against the keys of their issuer. Loaded with the first token that has to be checked.

import {
  type ExportedJWKSCache,
  type JWTPayload,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  jwtVerify,
} from "jose";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { JwtAuth } from "./bearer-auth.ts";
import { keyAlgorithms } from "./token-rules.ts";
import { type AuthInfo, type Refused, cannotJudge, refuseToken } from "./verdict.ts";

/** How long fetched keys are used before they are fetched again. */
const CACHE_MS = 600_000;
/** An unknown key id triggers another fetch, but not more often than this: anyone can invent key ids. */
const COOLDOWN_MS = 30_000;
const FETCH_TIMEOUT_MS = 5_000;
const MAX_KEYS_BYTES = 1_048_576;
/** The clocks of issuers differ a little. */
const CLOCK_TOLERANCE_SECONDS = 30;

export interface JwtTimes {
  readonly cooldownMs?: number | undefined;
  readonly cacheMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export type CheckJwt = (token: string) => Promise<AuthInfo | Refused>;

/** Keys are fetched from one address only, and with a limit on their size. A redirect is an answer without keys. */
async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  // Workers know no redirect: "error".
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.body === null) return response;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    bytes += part.byteLength;
    if (bytes > MAX_KEYS_BYTES) throw new Error("The key set is larger than 1 MiB.");
    parts.push(part);
  }
  return new Response(new Blob(parts), { status: response.status });
}

/** The issuer cannot be asked: it is unreachable, slow, or sends something other than keys. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // jose throws the base class itself for a status other than 200 and for a body that is not JSON.
  return error instanceof errors.JWKSTimeout || error.code === errors.JOSEError.code;
}

/** The issuer's keys. If the issuer cannot be reached, its last keys remain in use. */
function issuerKeys(address: string, times: JwtTimes): JWTVerifyGetKey {
  const cache: ExportedJWKSCache | Record<string, never> = {};
  const remote = createRemoteJWKSet(new URL(address), {
    cacheMaxAge: times.cacheMs ?? CACHE_MS,
    cooldownDuration: times.cooldownMs ?? COOLDOWN_MS,
    timeoutDuration: times.timeoutMs ?? FETCH_TIMEOUT_MS,
    [customFetch]: fetchKeys,
    [jwksCache]: cache,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      const { jwks } = cache as Partial<ExportedJWKSCache>;
      if (jwks === undefined || !isOutage(error)) throw error;
      return createLocalJWKSet(jwks)(header, token);
    }
  };
}

const listOf = (claim: unknown): readonly string[] =>
  Array.isArray(claim)
    ? claim.filter((entry): entry is string => typeof entry === "string")
    : typeof claim === "string"
      ? claim.split(" ").filter((entry) => entry !== "")
      : [];

function toAuthInfo(claims: JWTPayload): AuthInfo | undefined {
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") return undefined;
  const clientId = [claims["client_id"], claims["azp"], sub].find((id) => typeof id === "string");
  return {
    clientId: String(clientId),
    scopes: [...listOf(claims["scope"]), ...listOf(claims["scp"])],
    // They are read from the JSON of the token.
    extra: { sub, claims: claims as JsonObject },
  };
}

/** The message for the caller: enough to get the right token, nothing that helps to forge one. */
function refusalOf(error: unknown): Refused {
  if (isOutage(error))
    return cannotJudge(error instanceof errors.JOSEError ? error.code : "keys-unreachable");
  const { code } = error as errors.JOSEError;
  if (error instanceof errors.JWTExpired) return refuseToken("The token has expired. Get a new one.", code);
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuseToken(`The claim ${error.claim} of the token is not what this server needs.`, code);
  return refuseToken("The token is not valid here.", code);
}

export function jsonWebTokens(auth: JwtAuth, times: JwtTimes = {}): CheckJwt {
  const { issuer, audience, algorithms = keyAlgorithms } = auth;
  const keys = issuerKeys(auth.jwks === undefined ? auth.jwksUrl : auth.jwks, times);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        requiredClaims: ["exp", "sub"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return (
        toAuthInfo(payload) ?? refuseToken("The token names no user: its claim sub is empty.", "no-subject")
      );
    } catch (error) {
      return refusalOf(error);
    }
  };
}
