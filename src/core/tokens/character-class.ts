/**
 * Letters, marks and numbers that Unicode 17 added. The encodings' reference implementation knows Unicode 16, where
 * they are not assigned; a newer Node would take them for parts of words and differ by a token or two.
 */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0x088f, 0x088f],
  [0x0c5c, 0x0c5c],
  [0x0cdc, 0x0cdc],
  [0x1acf, 0x1add],
  [0x1ae0, 0x1aeb],
  [0xa7ce, 0xa7cf],
  [0xa7d2, 0xa7d2],
  [0xa7d4, 0xa7d4],
  [0xa7f1, 0xa7f1],
  [0x10940, 0x10959],
  [0x10ec5, 0x10ec7],
  [0x10efa, 0x10efb],
  [0x11b60, 0x11b67],
  [0x11db0, 0x11ddb],
  [0x11de0, 0x11de9],
  [0x16ea0, 0x16eb8],
  [0x16ebb, 0x16ed3],
  [0x16ff2, 0x16ff6],
  [0x187f8, 0x187ff],
  [0x18d09, 0x18d1e],
  [0x18d80, 0x18df2],
  [0x1e6c0, 0x1e6de],
  [0x1e6e0, 0x1e6f5],
  [0x1e6fe, 0x1e6ff],
  [0x2b73a, 0x2b73f],
  [0x2cea2, 0x2cead],
  [0x323b0, 0x33479],
];

function isLaterCharacter(codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

// Classes of characters as bits, so that one test can ask for several; 0 is the end of the text.
/** Lu and Lt, and every letter or mark without case. */
export const UPPER = 1;
/** Ll, and every letter or mark without case. */
export const LOWER = 2;
/** M: not a letter by itself, though o200k_base allows it in words. */
export const MARK = 4;
export const NUMBER = 8;
export const SPACE_BIT = 16;
/** Carriage return and line feed; they have the bit SPACE as well. */
export const LINE_END = 32;
/** Everything else: punctuation, symbols, controls, unassigned code points. */
export const OTHER = 64;

export const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NEXT_LINE = 0x85;
const BYTE_ORDER_MARK = 0xfeff;

/** Tried in this order; the first match decides. */
const patterns: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/u, LINE_END | SPACE_BIT],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lm}\p{Lo}]/u, UPPER | LOWER],
  [/\p{M}/u, UPPER | LOWER | MARK],
  [/\p{N}/u, NUMBER],
  [/\s/u, SPACE_BIT],
];

function classify(codePoint: number): number {
  // JavaScript's \s and Unicode's White_Space, which the encodings use, differ in these two.
  if (codePoint === NEXT_LINE) return SPACE_BIT;
  if (codePoint === BYTE_ORDER_MARK || isLaterCharacter(codePoint)) return OTHER;
  const character = String.fromCodePoint(codePoint);
  return patterns.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
}

// Filled as characters occur; memory pages that are never touched cost nothing.
const known = new Uint8Array(0x110000);

function classOf(codePoint: number): number {
  const found = known[codePoint] ?? 0;
  if (found !== 0) return found;
  const fresh = classify(codePoint);
  known[codePoint] = fresh;
  return fresh;
}

/** The class of each ASCII byte; 0 for the bytes of longer characters, so that a run of ASCII ends there. */
export const asciiClass: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? classOf(byte) : 0,
);

/** The number of bytes of the character that starts with this byte. */
export function bytesOfCharacter(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The class of the character that starts at `index` of well-formed UTF-8; 0 at the end. */
export function classAt(bytes: Uint8Array, index: number, end: number): number {
  if (index >= end) return 0;
  const lead = bytes[index] ?? 0;
  if (lead < 0x80) return asciiClass[lead] ?? 0;
  const second = (bytes[index + 1] ?? 0) & 0x3f;
  if (lead < 0xe0) return classOf(((lead & 0x1f) << 6) | second);
  const third = (bytes[index + 2] ?? 0) & 0x3f;
  if (lead < 0xf0) return classOf(((lead & 0x0f) << 12) | (second << 6) | third);
  return classOf(((lead & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[index + 3] ?? 0) & 0x3f));
}

export function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
