import * as z from "zod/mini";
import { choice, judged, list, named, object, text } from "../../../core/options/option-kinds.ts";
import {
  type KeyAlgorithm,
  keyAlgorithms,
  problemOfJwksUrl,
  problemOfToken,
  sameToken,
} from "./token-rules.ts";

/** How callers over HTTP prove who they are: by a bearer token that is checked here. */
export interface BearerAuth {
  /** Tokens by the name of their principal: at least 16 characters each, or `sha256:` and the hash of a token. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  readonly jwt?: JwtAuth | undefined;
}

/** Where the issuer publishes its keys: https, or http on this machine. */
type KeyAddress =
  | { readonly jwks: string; readonly jwksUrl?: undefined }
  /** The former name of `jwks` at the gateway. */
  | { readonly jwks?: undefined; readonly jwksUrl: string };

/** JSON Web Tokens of one issuer; the claim `sub` is the principal, and `scope` or `scp` has the scopes. */
export type JwtAuth = KeyAddress & IssuedTokens;

interface IssuedTokens {
  readonly issuer: string;
  readonly audience: string;
  /** Accepted signatures. Default: RS, PS and ES with 256, 384 and 512, EdDSA; never a shared-secret signature. */
  readonly algorithms?: readonly KeyAlgorithm[] | undefined;
}

const jwt = object({
  jwks: z.optional(judged(problemOfJwksUrl)),
  jwksUrl: z.optional(judged(problemOfJwksUrl)),
  issuer: text,
  audience: text,
  algorithms: z.optional(list(choice(keyAlgorithms)).check(z.minLength(1, "Name at least one."))),
} satisfies Record<"jwks" | "jwksUrl" | keyof IssuedTokens, z.ZodMiniType>).check((payload) => {
  const { jwks, jwksUrl } = payload.value;
  if ((jwks === undefined) !== (jwksUrl === undefined)) return;
  const twice = "is the former name of jwks, which is given too. Leave it out.";
  const [key, message] =
    jwks === undefined ? ["jwks", problemOfJwksUrl(undefined) ?? ""] : ["jwksUrl", twice];
  payload.issues.push({ code: "custom", path: [key], message, input: payload.value });
});

/** The kinds of both options. */
export const bearerKinds = {
  tokens: named(judged(problemOfToken)).check((payload) => {
    const same = sameToken(payload.value as Readonly<Record<string, string>>);
    if (same === undefined) return;
    const message = `gives ${same.map((name) => JSON.stringify(name)).join(" and ")} the same token, so one would pass for the other. Give each caller a token of its own.`;
    payload.issues.push({ code: "custom", message, input: payload.value });
  }),
  jwt,
} satisfies Record<keyof BearerAuth, z.ZodMiniType>;

/** A check that admits no caller is never intended. */
export function admitsNoCaller(given: unknown): boolean {
  const { tokens, jwt } = given as { readonly tokens?: object; readonly jwt?: unknown };
  return jwt === undefined && Object.keys(tokens ?? {}).length === 0;
}

export const CHECKS_NOTHING = "checks nothing: give tokens, jwt, or both.";
