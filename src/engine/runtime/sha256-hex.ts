// SHA-256 for callers that cannot wait: WebCrypto answers by promise only. Node's own where it is there.

import { builtIn } from "./built-in.ts";
import { portableSha256 } from "./portable-sha256.ts";

const native = builtIn("node:crypto");

/** The hash in 64 lower-case hex digits; a text counts as its UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  if (native?.hash !== undefined) return native.hash("sha256", content, "hex");
  return portableSha256(typeof content === "string" ? new TextEncoder().encode(content) : content);
}

/** The hash of what may be long: where only WebCrypto is fast, by WebCrypto. */
export function sha256OfMany(content: Uint8Array<ArrayBuffer>): string | Promise<string> {
  return native?.hash === undefined ? webSha256(content) : sha256Hex(content);
}

async function webSha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", content)));
}

/** Two lower-case hex digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Each UTF-16 unit as two bytes, the lower one first. Unlike UTF-8 it keeps lone surrogates apart. */
export function utf16Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[2 * index] = unit & 0xff;
    bytes[2 * index + 1] = unit >> 8;
  }
  return bytes;
}
