import {
  LINE_END,
  LOWER,
  MARK,
  NUMBER,
  UPPER,
  asciiClass,
  bytesOfCharacter,
  classAt,
} from "./character-class.ts";
import { NO_MATCH, endOfContraction, endOfNumber, endOfPunctuation, endOfSpace } from "./scan-piece.ts";

const LETTER = UPPER | LOWER;

/**
 * The split pattern of cl100k_base: an ending such as 's is a piece of its own, a word is letters of any case with at
 * most one character before it, and a mark is no letter.
 */
export function scanCl100k(bytes: Uint8Array, start: number, end: number): number {
  const contraction = endOfContraction(bytes, start, end);
  if (contraction !== start) return contraction;
  const found = classAt(bytes, start, end);
  if ((found & NUMBER) !== 0) return endOfNumber(bytes, start, end);
  if (isLetter(found)) return endOfLetters(bytes, start, end);
  if ((found & LINE_END) === 0) {
    const behind = start + bytesOfCharacter(bytes[start] ?? 0);
    const word = endOfLetters(bytes, behind, end);
    if (word !== behind) return word;
  }
  const punctuation = endOfPunctuation(bytes, start, end, false);
  return punctuation !== NO_MATCH ? punctuation : endOfSpace(bytes, start, end);
}

function isLetter(found: number): boolean {
  return (found & LETTER) !== 0 && (found & MARK) === 0;
}

function endOfLetters(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  for (;;) {
    while (index < end && ((asciiClass[bytes[index] ?? 0] ?? 0) & LETTER) !== 0) index++;
    if (index >= end || (bytes[index] ?? 0) < 0x80 || !isLetter(classAt(bytes, index, end))) return index;
    index += bytesOfCharacter(bytes[index] ?? 0);
  }
}
