// JSON as one line, for readers that take each line as a message. Between the parts of JSON a line end is a space like
// any other. Some readers of lines also stop at three more characters inside texts: U+0085 (Python's `splitlines`),
// U+2028 and U+2029 (Node's `readline`); these are replaced by escapes, which mean the same.

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const lineEnds = ["\n", "\r", "\u0085", "\u2028", "\u2029"];
const rawEnds = [
  LINE_FEED,
  CARRIAGE_RETURN,
  Uint8Array.of(0xc2, 0x85),
  Uint8Array.of(0xe2, 0x80, 0xa8),
  Uint8Array.of(0xe2, 0x80, 0xa9),
];
const ESCAPE_BYTES = 6;
const escapes = ["0085", "2028", "2029"].map((code) => new TextEncoder().encode(`\\u${code}`));

/** The number of bytes of the line end at a place; 0 without one. */
function endBytes(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return 1;
  if (byte === 0xc2) return bytes[at + 1] === 0x85 ? 2 : 0;
  if (byte !== 0xe2 || bytes[at + 1] !== 0x80) return 0;
  return bytes[at + 2] === 0xa8 || bytes[at + 2] === 0xa9 ? 3 : 0;
}

function lineLength(bytes: Uint8Array): number {
  let { length } = bytes;
  for (let at = 0; at < bytes.length; at += 1) {
    const found = endBytes(bytes, at);
    if (found > 1) length += ESCAPE_BYTES - found;
  }
  return length;
}

function replaceEnds(bytes: Buffer): Buffer {
  const line = Buffer.allocUnsafe(lineLength(bytes));
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const found = endBytes(bytes, at);
    if (found <= 1) {
      line[to] = found === 1 ? SPACE : (bytes[at] ?? 0);
      to += 1;
      continue;
    }
    const escape = escapes[found === 2 ? 0 : bytes[at + 2] === 0xa8 ? 1 : 2];
    for (let index = 0; index < ESCAPE_BYTES; index += 1) line[to + index] = escape?.[index] ?? 0;
    to += ESCAPE_BYTES;
    at += found - 1;
  }
  return line;
}

/** The bytes on one line, equal as JSON; the same bytes, without a copy, if they already are one line. */
export function bytesOnOneLine(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // Engines are fastest with one search for each.
  return rawEnds.some((end) => bytes.indexOf(end) !== -1) ? replaceEnds(bytes) : json;
}

/** The text on one line, equal as JSON; the same text if it already is one line. */
export function textOnOneLine(json: string): string {
  return lineEnds.some((end) => json.includes(end)) ? replaceEnds(Buffer.from(json)).toString() : json;
}
