import type { MaybePromise } from "../../../core/pipeline/maybe-promise.ts";

/**
 * Node's own hashes, which answer at once: WebCrypto hands every small hash to another thread, which costs more than all
 * else in a page. Asked for at run time, so that a browser or an edge runtime needs no such module.
 */
const node = globalThis.process?.getBuiltinModule?.("node:crypto");

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export function digest(text: string): MaybePromise<Uint8Array> {
  if (node) return node.createHash("sha256").update(text).digest();
  return crypto.subtle.digest("SHA-256", toBytes(text)).then((hash) => new Uint8Array(hash));
}

export function hmac(secret: string, input: Uint8Array<ArrayBuffer>): MaybePromise<Uint8Array> {
  if (node) return node.createHmac("sha256", secret).update(input).digest();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle
    .importKey("raw", toBytes(secret), algorithm, false, ["sign"])
    .then((key) => crypto.subtle.sign("HMAC", key, input))
    .then((mac) => new Uint8Array(mac));
}
