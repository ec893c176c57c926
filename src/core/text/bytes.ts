// Bytes in an ArrayBuffer of their own, as hashing needs them.

export type Bytes = Uint8Array<ArrayBuffer>;

/** The parts joined. */
export function join(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

export function encode(text: string): Bytes {
  return join([new TextEncoder().encode(text)]);
}

export function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
