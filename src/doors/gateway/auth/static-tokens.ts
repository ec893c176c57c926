import { createHash, timingSafeEqual } from "node:crypto";

/** A token stored as its hash, so that the configuration reveals nothing to sign in with. */
const hashed = /^sha256:([0-9a-f]{64})$/;

/** A shorter token can be guessed. */
const MIN_TOKEN_LENGTH = 16;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

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

/** Finds the owner of a token. Every token is compared, by equally long hashes, so the time taken reveals nothing. */
export type FindPrincipal = (token: string) => string | undefined;

export function staticTokens(tokens: Readonly<Record<string, string>>): FindPrincipal {
  const known = Object.entries(tokens).map(([principal, token]) => {
    const [, hex] = hashed.exec(token) ?? [];
    return { principal, hash: hex === undefined ? sha256(token) : Buffer.from(hex, "hex") };
  });
  return (token) => {
    const given = sha256(token);
    let found: string | undefined;
    for (const { principal, hash } of known) if (timingSafeEqual(given, hash)) found = principal;
    return found;
  };
}
