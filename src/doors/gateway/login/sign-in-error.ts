// Why a sign-in did not succeed, in our words: those of an authorization server may hold what it was sent.

import { IssuerMismatchError, OAuthError, RegistrationRejectedError } from "@modelcontextprotocol/client";
import { GuardedFetchError } from "./guarded-fetch.ts";

const signInReasons = [
  "no-metadata",
  "other-resource",
  "other-issuer",
  "bad-address",
  "no-client",
  "other-state",
  "denied",
  "no-code",
  "other-tokens",
  "no-tokens",
  "refused",
  "client-refused",
  "unreachable",
  "not-kept",
  "expired",
] as const;
export type SignInReason = (typeof signInReasons)[number];

export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly reason: SignInReason;

  constructor(reason: SignInReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Codes of OAuth errors after which the tokens, or the client, are not valid any more. Only the code is repeated. */
const finalCodes: ReadonlyMap<string, SignInReason> = new Map([
  ["invalid_grant", "refused"],
  ["invalid_scope", "refused"],
  ["invalid_target", "refused"],
  ["invalid_client", "client-refused"],
  ["unauthorized_client", "client-refused"],
]);

const unusable = new SignInError("no-metadata", "The metadata of the authorization server cannot be used");
export const noTokens = new SignInError(
  "no-tokens",
  "The authorization server answered with something else than tokens",
);

/** Any error of a conversation with an authorization server; `otherwise` is for those that say nothing themselves. */
export function signInError(error: unknown, otherwise: SignInError = unusable): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof GuardedFetchError) return new SignInError("unreachable", error.message);
  if (IssuerMismatchError.isInstance(error))
    return new SignInError(
      "other-issuer",
      "The authorization server names another issuer than the server does",
    );
  if (RegistrationRejectedError.isInstance(error))
    return new SignInError(
      "no-client",
      "The authorization server does not register this client: register one there, and give its id with --client-id",
    );
  if (OAuthError.isInstance(error)) {
    const reason = finalCodes.get(error.code);
    return reason === undefined
      ? new SignInError("unreachable", "The authorization server failed")
      : new SignInError(reason, `The authorization server refused (${error.code})`);
  }
  return otherwise;
}
