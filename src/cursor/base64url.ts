const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const sextets = new Map(Array.from(ALPHABET, (character, sextet) => [character, sextet]));

const codes = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));

/** As many characters as a call may have arguments on every engine. */
const AT_ONCE = 4_096;

/** Base64 of RFC 4648 section 5, without padding. */
export function toBase64url(bytes: Uint8Array): string {
  // Written as codes: a text that grows by single characters is a long chain, which whoever reads it has to walk.
  const written = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      written[length++] = codes[(buffer >> bits) & 0x3f] ?? 0;
    }
  }
  if (bits > 0) written[length] = codes[(buffer << (6 - bits)) & 0x3f] ?? 0;
  let text = "";
  for (let start = 0; start < written.length; start += AT_ONCE)
    text += String.fromCharCode(...written.subarray(start, start + AT_ONCE));
  return text;
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
