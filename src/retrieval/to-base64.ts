// In pieces: a spread of a whole entry overflows the stack.
const PIECE_BYTES = 0x6000;

/** Base64 of bytes in any JavaScript runtime. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES));
  }
  return globalThis.btoa(binary);
}
