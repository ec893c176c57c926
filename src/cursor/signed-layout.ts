import { MAC_BYTES } from "./cursor-mac.ts";

/** First byte of a signed cursor. A plain one starts with `{`, so the two can never be confused. */
export const SIGNED_VERSION = 1;

const EXPIRY_BYTES = 4;

export interface SignedParts {
  readonly keyId: string;
  /** The last day, in whole days since 1970, on which the cursor works. */
  readonly expiryDay: number;
  readonly payload: Uint8Array;
}

/** Everything the MAC covers: version, length of the key id, key id, expiry, payload. */
export function packBody({ keyId, expiryDay, payload }: SignedParts): Uint8Array<ArrayBuffer> {
  const id = new TextEncoder().encode(keyId);
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
