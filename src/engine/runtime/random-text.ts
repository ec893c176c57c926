import { toHex } from "./sha256-hex.ts";

/**
 * Unpredictable random bytes, from an API that every runtime has. Workers allow it only in a request, not at
 * their start.
 */
function randomBytes(count: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(count));
}

/** As hex digits, two for each byte. */
export function randomHex(bytes: number): string {
  return toHex(randomBytes(bytes));
}

/** As base64url without padding. */
export function randomBase64url(bytes: number): string {
  const base64 = globalThis.btoa(String.fromCharCode(...randomBytes(bytes)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
