const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const sextets = new Map(Array.from(ALPHABET, (character, sextet) => [character, sextet]));

/** Base64 of RFC 4648 section 5, without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET.charAt((buffer >> bits) & 0x3f);
    }
  }
  return bits > 0 ? text + ALPHABET.charAt((buffer << (6 - bits)) & 0x3f) : text;
}

/** The bytes of unpadded base64url, or undefined for any text that `toBase64url` never writes. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const character of text) {
    const sextet = sextets.get(character);
    if (sextet === undefined) return undefined;
    buffer = ((buffer << 6) | sextet) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (buffer >> bits) & 0xff;
  }
  // Left-over bits must be zero, or several texts would decode to the same bytes.
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}
