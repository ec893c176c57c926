import * as z from "zod/mini";
import { callback, object, optionsOf } from "../../core/options/option-kinds.ts";
import {
  type BearerAuth,
  CHECKS_NOTHING,
  type JwtAuth,
  admitsNoCaller,
  tokenKinds,
} from "../../engine/request/sign-in/bearer-auth.ts";

/**
 * The caller: a subject, alone or with other verified facts. `extra` reaches handlers as `ctx.sdk.http.authInfo.extra`.
 */
export type Principal =
  | string
  | {
      readonly subject: string;
      readonly clientId?: string | undefined;
      readonly scopes?: readonly string[] | undefined;
      readonly extra?: Readonly<Record<string, unknown>> | undefined;
    };

type NoPrincipal = undefined | null;

/** Identifies the sender by headers and URL; the body is not read yet. Undefined or null refuses with 401. */
export type Authenticate = (request: Request) => Principal | NoPrincipal | Promise<Principal | NoPrincipal>;

/** Bearer tokens that the server checks itself. */
export interface TokenAuth extends Pick<BearerAuth, "tokens"> {
  /** JSON Web Tokens of one issuer; the claim `sub` is the caller, and `scope` or `scp` has the scopes. */
  readonly jwt?: IssuedTokens | undefined;
}

/** Whose tokens are taken: those of an issuer, for this server. Clients are told where the issuer is. */
export interface IssuedTokens extends Omit<JwtAuth, "jwksUrl"> {
  /** Where the issuer publishes its keys: https, or http on this machine. */
  readonly jwks: string;
}

/** What the option `auth` of a server takes. */
export type ServeAuth = Authenticate | TokenAuth;

const { tokens, jwksUrl: jwks, issuer, audience, algorithms } = tokenKinds;

const tokenAuth = optionsOf<TokenAuth>({
  tokens,
  jwt: object({ jwks, issuer, audience, algorithms } satisfies Record<keyof IssuedTokens, z.ZodMiniType>),
});

/** The last check is of the whole, since what is wrong with one of two forms alone is not said. */
export const serveAuth = z
  .union([callback, tokenAuth], "Write a function, or { tokens, jwt: { issuer, audience, jwks } }.")
  .check((payload) => {
    if (typeof payload.value === "function" || !admitsNoCaller(payload.value)) return;
    payload.issues.push({ code: "custom", message: CHECKS_NOTHING, input: payload.value });
  });

/** The same in the words of what checks tokens, which remembers keys by this object. */
export function bearerAuthOf({ tokens: own, jwt }: TokenAuth): BearerAuth {
  if (jwt === undefined) return { tokens: own };
  const { jwks: jwksUrl, ...rest } = jwt;
  return { tokens: own, jwt: { ...rest, jwksUrl } };
}
