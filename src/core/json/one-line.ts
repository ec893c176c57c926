// JSON as one line, for readers that take each line for a message of its own. Between the parts of JSON a line end is a
// space like any other. Inside of its texts stand three more characters that some readers of lines stop at: U+0085
// (Python's `splitlines`), U+2028 and U+2029 (Node's `readline`); there an escape says the same.

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

/** How many bytes the line end at a place has; 0 where none stands there. */
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

/** The bytes on one line, equal as JSON; the same ones and no copy, as nearly always, where they stand on one. */
export function bytesOnOneLine(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // One search for each is what an engine is quickest at.
  return rawEnds.some((end) => bytes.indexOf(end) !== -1) ? replaceEnds(bytes) : json;
}

/** The text on one line, equal as JSON; the same one where it stands on one. */
export function textOnOneLine(json: string): string {
  return lineEnds.some((end) => json.includes(end)) ? replaceEnds(Buffer.from(json)).toString() : json;
}
