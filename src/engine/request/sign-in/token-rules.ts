// What a token or the address of keys must look like, and whose token one is. It runs on every runtime.

import { isLoopbackHost } from "../../../core/text/network-address.ts";
import { sha256Hex } from "../../runtime/sha256-hex.ts";

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
  return "is not https. An attacker who changes the keys on their way can sign tokens: write https://….";
}

/** A token stored as its hash, so that the configuration reveals nothing to sign in with. */
const hashed = /^sha256:([0-9a-f]{64})$/;

/** A shorter token can be guessed. */
const MIN_TOKEN_LENGTH = 16;

/** What is wrong with a configured token, as the end of a sentence. The token itself is not repeated. */
export function problemOfToken(token: unknown): string | undefined {
  if (typeof token !== "string") return "is not a text. Write a token, or sha256: and its hash.";
  if (hashed.test(token)) return undefined;
  if (token.startsWith("sha256:"))
    return "is not a hash of a token. Write sha256: and 64 hex digits in lower case.";
  if (!/^[\x21-\x7e]+$/.test(token))
    return "has characters that no header can carry. Write letters, digits and signs only.";
  if (token.length >= MIN_TOKEN_LENGTH) return undefined;
  return `is too short. Write at least ${MIN_TOKEN_LENGTH} characters, as from \`openssl rand -hex 32\`.`;
}

function hashOf(token: string): string {
  return hashed.exec(token)?.[1] ?? sha256Hex(token);
}

/** Two principals with one token, which cannot be told apart; undefined if there are none. */
export function sameToken(
  tokens: Readonly<Record<string, string>>,
): readonly [first: string, second: string] | undefined {
  const owners = new Map<string, string>();
  for (const [principal, token] of Object.entries(tokens)) {
    const hash = hashOf(token);
    const owner = owners.get(hash);
    if (owner !== undefined) return [owner, principal];
    owners.set(hash, principal);
  }
  return undefined;
}

/** Compares two hashes of the same length in a time that does not depend on them. */
function isSameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

/** Finds the owner of a token. Every token is compared, by equally long hashes, so the time taken reveals nothing. */
export type FindPrincipal = (token: string) => string | undefined;

export function staticTokens(tokens: Readonly<Record<string, string>>): FindPrincipal {
  const known = Object.entries(tokens).map(([principal, token]) => ({ principal, hash: hashOf(token) }));
  return (token) => {
    const given = sha256Hex(token);
    let found: string | undefined;
    for (const { principal, hash } of known) if (isSameHash(given, hash)) found = principal;
    return found;
  };
}
