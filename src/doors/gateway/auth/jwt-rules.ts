import { isLoopbackHost } from "../../../engine/transport/http/loopback-host.ts";

/**
 * Signatures made with a private key. Shared-secret signatures (HS256) are not allowed: a party that can check such a
 * token can also make one, and using a public key as the secret is the oldest forgery.
 */
export const keyAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

/** Why keys cannot be fetched from an address, as the end of a sentence; undefined if they can. */
export function problemOfJwksUrl(text: unknown): string | undefined {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return "is not a URL. Write the address of the issuer's key set, as https://….";
  if (url.username !== "" || url.password !== "")
    return "holds a password. Key sets are public: leave it out.";
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)))
    return undefined;
  return "is not https. Whoever can change the keys on their way can sign tokens: write https://….";
}
