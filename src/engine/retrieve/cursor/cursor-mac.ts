// The signature of a cursor: over the cursor's bytes, and over the call for which alone it works.

import type * as Crypto from "node:crypto";
import { assertJson } from "../../../core/contract/note-options.ts";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { builtIn } from "../../runtime/built-in.ts";
import { bytesOfBinary } from "./base64url.ts";
import type { CursorBinding } from "./cursor-options.ts";

export const MAC_BYTES = 16;

// The same secret may sign other things; the label keeps their signatures from working here.
const LABEL = "waybill.cursor\n";

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes a MAC from a secret, from the call in words, and from the cursor's own bytes. */
type MakeMac = (secret: string, binding: string, body: Bytes) => Bytes | Promise<Bytes>;

/** The call to which a cursor belongs, as the text that is signed. */
export function writeBinding({ tool, filters, sort, tenant }: CursorBinding): string {
  const parts: readonly JsonValue[] = [tool ?? null, filters ?? null, sort ?? null, tenant ?? null];
  assertJson(parts, "binding");
  return stableStringify(parts);
}

/**
 * HMAC-SHA256 over the cursor's body and the call it belongs to, cut to 16 bytes. A promise only where Node's hashes are
 * missing: WebCrypto hands every small hash to another thread, which costs more than the rest of a page.
 */
export function cursorMac(secret: string, body: Bytes, binding: CursorBinding): ReturnType<MakeMac> {
  return makeMac(secret, writeBinding(binding), body);
}

/** Compares in a time that does not depend on where two MACs differ. */
export function equalMacs(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}

/** By Node. Hashes come as texts of one character a byte: a buffer for each is slower to make and to free. */
function nodeMac(
  { hash, createHmac }: typeof Crypto,
  ...[secret, binding, body]: Parameters<MakeMac>
): Bytes {
  const mac = createHmac("sha256", secret)
    .update(LABEL)
    .update(hash("sha256", binding, "binary"), "binary")
    .update(body)
    .digest("binary");
  return bytesOfBinary(mac.slice(0, MAC_BYTES));
}

/** By WebCrypto; exported so that a test compares the two. */
export async function webMac(...[secret, binding, body]: Parameters<MakeMac>): Promise<Bytes> {
  const encoder = new TextEncoder();
  const { subtle } = globalThis.crypto;
  const hash = new Uint8Array(await subtle.digest("SHA-256", encoder.encode(binding)));
  const input = Uint8Array.from([...encoder.encode(LABEL), ...hash, ...body]);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", key, input), 0, MAC_BYTES);
}

/** Requested at run time, so that browsers and edge runtimes do not need the module. */
const node = builtIn("node:crypto");
const makeMac: MakeMac =
  node?.hash === undefined ? webMac : (secret, binding, body) => nodeMac(node, secret, binding, body);
