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

/** JSON Web Tokens of one issuer; the claim `sub` is the principal. */
export interface JwtAuth {
  /** Where the issuer publishes its keys: https, or http on this machine. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** Accepted signatures. Default: RS, PS and ES with 256, 384 and 512, EdDSA; never a shared-secret signature. */
  readonly algorithms?: readonly KeyAlgorithm[] | undefined;
}

/** The kinds of both options, for doors that write them with other keys beside or another name. */
export const tokenKinds = {
  tokens: named(judged(problemOfToken)).check((payload) => {
    const same = sameToken(payload.value as Readonly<Record<string, string>>);
    if (same === undefined) return;
    const message = `gives ${same.map((name) => JSON.stringify(name)).join(" and ")} the same token, so one would pass for the other. Give each caller a token of its own.`;
    payload.issues.push({ code: "custom", message, input: payload.value });
  }),
  jwksUrl: judged(problemOfJwksUrl),
  issuer: text,
  audience: text,
  algorithms: z.optional(list(choice(keyAlgorithms)).check(z.minLength(1, "Name at least one."))),
} satisfies Record<"tokens" | keyof JwtAuth, z.ZodMiniType>;

const { tokens: _tokens, ...jwtShape } = tokenKinds;

export const jwtKind = object(jwtShape);

/** A check that admits no caller is never intended. */
export function admitsNoCaller(given: unknown): boolean {
  const { tokens, jwt } = given as { readonly tokens?: object; readonly jwt?: unknown };
  return jwt === undefined && Object.keys(tokens ?? {}).length === 0;
}

export const CHECKS_NOTHING = "checks nothing: give tokens, jwt, or both.";
