import * as z from "zod/mini";
import { callback, optionsOf } from "../../core/options/option-kinds.ts";
import {
  type BearerAuth,
  CHECKS_NOTHING,
  admitsNoCaller,
  bearerKinds,
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

/** Bearer tokens that the server checks itself. Clients are told where the issuer of JSON Web Tokens is. */
export interface TokenAuth extends BearerAuth {}

/** What the option `auth` of a server takes. */
export type ServeAuth = Authenticate | TokenAuth;

/** The last check is of the whole, since what is wrong with one of two forms alone is not said. */
export const serveAuth = z
  .union(
    [callback, optionsOf<TokenAuth>(bearerKinds)],
    "Write a function, or { tokens, jwt: { issuer, audience, jwks } }.",
  )
  .check((payload) => {
    if (typeof payload.value === "function" || !admitsNoCaller(payload.value)) return;
    payload.issues.push({ code: "custom", message: CHECKS_NOTHING, input: payload.value });
  });
