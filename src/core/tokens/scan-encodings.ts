import {
  LINE_END,
  LOWER,
  MARK,
  NUMBER,
  OTHER,
  SPACE,
  UPPER,
  asciiClass,
  bytesOfCharacter,
  classAt,
} from "./character-class.ts";
import {
  APOSTROPHE,
  NO_MATCH,
  endOfContraction,
  endOfNumber,
  endOfPunctuation,
  endOfSpace,
} from "./scan-piece.ts";

const LETTER = UPPER | LOWER;

/**
 * The split pattern of cl100k_base: an ending such as 's is a piece of its own, a word is letters of any case with at
 * most one character before it, and a mark is not a letter.
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

/**
 * The split pattern of o200k_base: a word with at most one character before it, where upper case comes first and
 * lower case follows; numbers of up to three digits; punctuation with the line ends and slashes behind it; spaces.
 * Words of ASCII are most of all text, so they are found here, without a call and without asking a class twice.
 */
export function scanO200k(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  let found = asciiClass[bytes[index] ?? 0] ?? 0;
  if (found === OTHER || found === SPACE) {
    index++;
    found = index < end ? (asciiClass[bytes[index] ?? 0] ?? 0) : 0;
  }
  if (found === NUMBER && index === start) return endOfNumber(bytes, start, end);
  // ASCII that is not a letter, behind something that is not a letter either.
  if (found >= NUMBER && index > start) return endOfGap(bytes, start, end);
  if (found !== UPPER && found !== LOWER) return scanOther(bytes, start, end);
  while (index < end && asciiClass[bytes[index] ?? 0] === UPPER) index++;
  while (index < end && asciiClass[bytes[index] ?? 0] === LOWER) index++;
  const next = index < end ? (bytes[index] ?? 0) : 0;
  if (next >= 0x80) return scanOther(bytes, start, end);
  return next === APOSTROPHE ? endOfContraction(bytes, index, end) : index;
}

function scanOther(bytes: Uint8Array, start: number, end: number): number {
  const found = classAt(bytes, start, end);
  if ((found & NUMBER) !== 0) return endOfNumber(bytes, start, end);
  const word = endOfWord(bytes, start, end, found);
  return word !== NO_MATCH ? endOfContraction(bytes, word, end) : endOfGap(bytes, start, end);
}

/** What stands between words and numbers. */
function endOfGap(bytes: Uint8Array, start: number, end: number): number {
  const punctuation = endOfPunctuation(bytes, start, end, true);
  return punctuation !== NO_MATCH ? punctuation : endOfSpace(bytes, start, end);
}

function endOfWord(bytes: Uint8Array, start: number, end: number, found: number): number {
  if ((found & LINE_END) !== 0) return NO_MATCH;
  if ((found & MARK) !== 0) return endOfMarkedWord(bytes, start, end);
  const first = (found & (OTHER | SPACE)) !== 0 ? start + bytesOfCharacter(bytes[start] ?? 0) : start;
  if ((classAt(bytes, first, end) & (UPPER | LOWER)) === 0) return NO_MATCH;
  const lower = endOfLower(bytes, first, end);
  return lower !== NO_MATCH ? lower : endOfUpper(bytes, first, end);
}

/** A mark may be the character before the word or belong to the word; the pattern tries both, in this order. */
function endOfMarkedWord(bytes: Uint8Array, start: number, end: number): number {
  const behind = start + bytesOfCharacter(bytes[start] ?? 0);
  for (const rule of [endOfLower, endOfUpper]) {
    const leading = rule(bytes, behind, end);
    if (leading !== NO_MATCH) return leading;
    const within = rule(bytes, start, end);
    if (within !== NO_MATCH) return within;
  }
  return NO_MATCH;
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` */
function endOfLower(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  let found = classAt(bytes, index, end);
  // Where the pattern would step back to when no lower case follows.
  let lastCaseless = NO_MATCH;
  while ((found & UPPER) !== 0) {
    index += bytesOfCharacter(bytes[index] ?? 0);
    if ((found & LOWER) !== 0) lastCaseless = index;
    found = classAt(bytes, index, end);
  }
  return (found & LOWER) === 0 ? lastCaseless : endOfRun(bytes, index, end, LOWER);
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` */
function endOfUpper(bytes: Uint8Array, start: number, end: number): number {
  const index = endOfRun(bytes, start, end, UPPER);
  return index === start ? NO_MATCH : endOfRun(bytes, index, end, LOWER);
}

function endOfRun(bytes: Uint8Array, start: number, end: number, wanted: number): number {
  let index = start;
  while ((classAt(bytes, index, end) & wanted) !== 0) index += bytesOfCharacter(bytes[index] ?? 0);
  return index;
}
