// Bytes of texts. Node counts without encoding; elsewhere the characters are examined one by one.

interface NodeBuffer {
  byteLength(text: string): number;
  allocUnsafeSlow(bytes: number): Uint8Array<ArrayBuffer>;
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
}

const { Buffer: native } = globalThis as { readonly Buffer?: NodeBuffer };

/**
 * The number of bytes of a text in UTF-8; a lone surrogate counts as the replacement character that is
 * written for it.
 */
export const byteLength: (text: string) => number =
  native === undefined ? portableByteLength : (text) => native.byteLength(text);

/** `byteLength` without Node; exported so that a test compares the two. */
export function portableByteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair takes four bytes: its first half counted three, and the second half is skipped.
    if (isHigh(unit) && isLow(text.charCodeAt(index + 1))) index++;
  }
  return bytes;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** A buffer that is written before it is read, so that Node need not fill it with zeros. */
export function unfilledBuffer(bytes: number): Uint8Array<ArrayBuffer> {
  return native === undefined ? new Uint8Array(bytes) : native.allocUnsafeSlow(bytes);
}

/** The bytes of a base64 text. Like Node, it skips characters that are not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return native === undefined ? portableBase64(text) : native.from(text, "base64");
}

/** `bytesOfBase64` without Node. */
export function portableBase64(text: string): Uint8Array<ArrayBuffer> {
  const [beforePadding = ""] = text.split("=");
  const digits = beforePadding
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/]/g, "");
  // A single remaining digit has only six bits of a byte, so it is dropped.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(globalThis.atob(whole), (char) => char.charCodeAt(0));
}
