import { isLaterCharacter } from "./later-characters.ts";

// Classes of characters as bits, so that one test asks for several; 0 is the end of the text.
/** Lu and Lt, and every letter or mark without case. */
export const UPPER = 1;
/** Ll, and every letter or mark without case. */
export const LOWER = 2;
/** M: no letter by itself, though o200k_base lets it stand in words. */
export const MARK = 4;
export const NUMBER = 8;
export const SPACE = 16;
/** Carriage return and line feed; they carry SPACE as well. */
export const LINE_END = 32;
/** Everything else: punctuation, symbols, controls, what is not assigned. */
export const OTHER = 64;

export const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NEXT_LINE = 0x85;
const BYTE_ORDER_MARK = 0xfeff;

/** Asked in this order; the first that holds decides. */
const patterns: readonly (readonly [RegExp, number])[] = [
  [/[\r\n]/u, LINE_END | SPACE],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lm}\p{Lo}]/u, UPPER | LOWER],
  [/\p{M}/u, UPPER | LOWER | MARK],
  [/\p{N}/u, NUMBER],
  [/\s/u, SPACE],
];

function classify(codePoint: number): number {
  // JavaScript's \s and Unicode's White_Space, which the encodings mean, differ in these two.
  if (codePoint === NEXT_LINE) return SPACE;
  if (codePoint === BYTE_ORDER_MARK || isLaterCharacter(codePoint)) return OTHER;
  const character = String.fromCodePoint(codePoint);
  return patterns.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
}

// Filled as characters turn up; pages that are never touched take no memory.
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

/** How many bytes the character has that starts with this byte. */
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
