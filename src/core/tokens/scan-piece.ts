// What the split patterns of both encodings have in common. Each function gives the end of its match at `start`,
// or NO_MATCH; together they stand for the alternatives of a regular expression, which would be several times slower.
import {
  LINE_END,
  MARK,
  NUMBER,
  OTHER,
  LINE_FEED,
  SPACE,
  asciiClass,
  bytesOfCharacter,
  classAt,
  isLineEnd,
} from "./character-class.ts";

/** Finds where the piece that starts at `start` ends; `start` is before `end`. */
export type ScanPiece = (bytes: Uint8Array, start: number, end: number) => number;

export const NO_MATCH = -1;

const SPACE_BYTE = 0x20;
const SLASH = 0x2f;
export const APOSTROPHE = 0x27;
const MAX_DIGITS = 3;
// An ASCII letter with this bit is in lower case.
const CASE_BIT = 0x20;
const [S, T, M, D, R, V, L, E] = Array.from("stmdrvle", (letter) => letter.charCodeAt(0));

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, or `start` itself when the text does not continue so. */
export function endOfContraction(bytes: Uint8Array, start: number, end: number): number {
  if (start + 1 >= end || bytes[start] !== APOSTROPHE) return start;
  const first = (bytes[start + 1] ?? 0) | CASE_BIT;
  if (first === S || first === T || first === M || first === D) return start + 2;
  if (start + 2 >= end) return start;
  // U+017F, the long s, is an s when case is ignored.
  if (bytes[start + 1] === 0xc5 && bytes[start + 2] === 0xbf) return start + 3;
  const second = (bytes[start + 2] ?? 0) | CASE_BIT;
  const isPair = ((first === R || first === V) && second === E) || (first === L && second === L);
  return isPair ? start + 3 : start;
}

/** `\p{N}{1,3}`, where the first character is known to be a number. */
export function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  for (let digits = 0; digits < MAX_DIGITS && index < end; digits++) {
    const byte = bytes[index] ?? 0;
    const found = byte < 0x80 ? asciiClass[byte] : classAt(bytes, index, end);
    if (found !== NUMBER) break;
    index += bytesOfCharacter(byte);
  }
  return index;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, where slashes may stand among the line ends if `takesSlashes`. */
export function endOfPunctuation(
  bytes: Uint8Array,
  start: number,
  end: number,
  takesSlashes: boolean,
): number {
  const first = bytes[start] === SPACE_BYTE ? start + 1 : start;
  let index = first;
  while (index < end) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) {
      if (asciiClass[byte] !== OTHER) break;
      index++;
    } else {
      if ((classAt(bytes, index, end) & (OTHER | MARK)) === 0) break;
      index += bytesOfCharacter(byte);
    }
  }
  if (index === first) return NO_MATCH;
  // A line feed is taken in any case.
  const slash = takesSlashes ? SLASH : LINE_FEED;
  while (index < end && (isLineEnd(bytes[index]) || bytes[index] === slash)) index++;
  return index;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`, where the first character is known to be a space. */
export function endOfSpace(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  let last = start;
  let lineEnd = NO_MATCH;
  for (;;) {
    const found = classAt(bytes, index, end);
    if ((found & SPACE) === 0) break;
    last = index;
    index += bytesOfCharacter(bytes[index] ?? 0);
    if ((found & LINE_END) !== 0) lineEnd = index;
  }
  if (lineEnd !== NO_MATCH) return lineEnd;
  // The last space of several belongs to the word behind them.
  return index < end && last > start ? last : index;
}
