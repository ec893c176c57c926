import { assertJson } from "../../../core/contract/note-options.ts";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { type MaybePromise, chain } from "../../../core/pipeline/maybe-promise.ts";
import type { CursorBinding } from "./cursor-options.ts";
import { digest, hmac } from "./signing.ts";

const DAY_MS = 86_400_000;

/** Whole days since 1970, in UTC. */
export function toDay(now: (() => Date) | undefined): number {
  return Math.floor((now?.() ?? new Date()).getTime() / DAY_MS);
}

const MAC_BYTES = 16;

// The same secret may sign other things; the label keeps their signatures from working here.
const LABEL = "waybill.cursor\n";

const encoder = new TextEncoder();

function writeBinding(binding: CursorBinding): string {
  const values: readonly (JsonValue | undefined)[] = [
    binding.tool,
    binding.filters,
    binding.sort,
    binding.tenant,
  ];
  const parts = values.map((value) => value ?? null);
  assertJson(parts, "binding");
  return stableStringify(parts);
}

/** HMAC-SHA256 over the cursor's body and the call it belongs to, cut to 16 bytes. */
export function cursorMac(
  secret: string,
  body: Uint8Array,
  binding: CursorBinding,
): MaybePromise<Uint8Array> {
  return chain(digest(writeBinding(binding)), (hash) => {
    const label = encoder.encode(LABEL);
    const input = new Uint8Array(label.length + hash.length + body.length);
    input.set(label);
    input.set(hash, label.length);
    input.set(body, label.length + hash.length);
    return chain(hmac(secret, input), (mac) => mac.slice(0, MAC_BYTES));
  });
}

/** Compares in a time that does not depend on where two MACs differ. */
export function equalMacs(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

/** First byte of a signed cursor. A plain one starts with `{`, so the two can never be confused. */
export const SIGNED_VERSION = 1;

const EXPIRY_BYTES = 4;

interface SignedParts {
  readonly keyId: string;
  /** The last day, in whole days since 1970, on which the cursor works. */
  readonly expiryDay: number;
  readonly payload: Uint8Array;
}

/** Everything the MAC covers: version, length of the key id, key id, expiry, payload. */
export function packBody(keyId: string, expiryDay: number, position: string): Uint8Array<ArrayBuffer> {
  const id = encoder.encode(keyId);
  const payload = encoder.encode(position);
  const body = new Uint8Array(2 + id.length + EXPIRY_BYTES + payload.length);
  body[0] = SIGNED_VERSION;
  body[1] = id.length;
  body.set(id, 2);
  new DataView(body.buffer).setUint32(2 + id.length, expiryDay);
  body.set(payload, 2 + id.length + EXPIRY_BYTES);
  return body;
}

/** The parts of a body and its MAC, or undefined when the bytes are too few. */
export function unpackSigned(
  bytes: Uint8Array,
): (SignedParts & { readonly body: Uint8Array; readonly mac: Uint8Array }) | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - MAC_BYTES));
  const expiryAt = 2 + (body[1] ?? 0);
  if (body.length < expiryAt + EXPIRY_BYTES) return undefined;
  return {
    keyId: String.fromCharCode(...body.subarray(2, expiryAt)),
    expiryDay: new DataView(body.buffer, body.byteOffset).getUint32(expiryAt),
    payload: body.subarray(expiryAt + EXPIRY_BYTES),
    body,
    mac: bytes.subarray(body.length),
  };
}
