import { PieceCounter } from "./piece-counter.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";
import { Vocabulary } from "./vocabulary.ts";
import {
  LINE_END,
  LOWER,
  MARK,
  NUMBER,
  OTHER,
  SPACE_BIT,
  UPPER,
  asciiClass,
  bytesOfCharacter,
  classAt,
  LINE_FEED,
  isLineEnd,
} from "./character-class.ts";

// The common parts of both encodings' split patterns. Each function returns the end of its match at `start`, or
// NO_MATCH; together they replace the alternatives of a regular expression, which would be several times slower.

/** Finds the end of the piece that starts at `start`; `start` is before `end`. */
type ScanPiece = (bytes: Uint8Array, start: number, end: number) => number;

const NO_MATCH = -1;

const SPACE_BYTE = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;
const MAX_DIGITS = 3;
// An ASCII letter with this bit is in lower case.
const CASE_BIT = 0x20;
const [S, T, M, D, R, V, L, E] = Array.from("stmdrvle", (letter) => letter.charCodeAt(0));

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, or `start` itself if the text does not continue so. */
function endOfContraction(bytes: Uint8Array, start: number, end: number): number {
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

/** `\p{N}{1,3}`, if the first character is known to be a number. */
function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  for (let digits = 0; digits < MAX_DIGITS && index < end; digits++) {
    const byte = bytes[index] ?? 0;
    const found = byte < 0x80 ? asciiClass[byte] : classAt(bytes, index, end);
    if (found !== NUMBER) break;
    index += bytesOfCharacter(byte);
  }
  return index;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, with slashes allowed among the line ends if `takesSlashes`. */
function endOfPunctuation(bytes: Uint8Array, start: number, end: number, takesSlashes: boolean): number {
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
  // A line feed is always taken.
  const slash = takesSlashes ? SLASH : LINE_FEED;
  while (index < end && (isLineEnd(bytes[index]) || bytes[index] === slash)) index++;
  return index;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`, if the first character is known to be a space. */
function endOfSpace(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  let last = start;
  let lineEnd = NO_MATCH;
  for (;;) {
    const found = classAt(bytes, index, end);
    if ((found & SPACE_BIT) === 0) break;
    last = index;
    index += bytesOfCharacter(bytes[index] ?? 0);
    if ((found & LINE_END) !== 0) lineEnd = index;
  }
  if (lineEnd !== NO_MATCH) return lineEnd;
  // The last of several spaces belongs to the word after them.
  return index < end && last > start ? last : index;
}

const LETTER = UPPER | LOWER;

/**
 * The split pattern of cl100k_base: an ending such as 's is a piece of its own, a word is letters of any case with at
 * most one character before it, and a mark is not a letter.
 */
function scanCl100k(bytes: Uint8Array, start: number, end: number): number {
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
 * The split pattern of o200k_base: a word with at most one character before it, upper case first, then lower case;
 * numbers of up to three digits; punctuation with the line ends and slashes after it; spaces. Most text is ASCII words,
 * so they are found here, without a call and without asking for a class twice.
 */
function scanO200k(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  let found = asciiClass[bytes[index] ?? 0] ?? 0;
  if (found === OTHER || found === SPACE_BIT) {
    index++;
    found = index < end ? (asciiClass[bytes[index] ?? 0] ?? 0) : 0;
  }
  if (found === NUMBER && index === start) return endOfNumber(bytes, start, end);
  // ASCII that is not a letter, after something that is not a letter either.
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

/** What is between words and numbers. */
function endOfGap(bytes: Uint8Array, start: number, end: number): number {
  const punctuation = endOfPunctuation(bytes, start, end, true);
  return punctuation !== NO_MATCH ? punctuation : endOfSpace(bytes, start, end);
}

function endOfWord(bytes: Uint8Array, start: number, end: number, found: number): number {
  if ((found & LINE_END) !== 0) return NO_MATCH;
  if ((found & MARK) !== 0) return endOfMarkedWord(bytes, start, end);
  const first = (found & (OTHER | SPACE_BIT)) !== 0 ? start + bytesOfCharacter(bytes[start] ?? 0) : start;
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
  // Where the pattern would backtrack to if no lower case follows.
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

/** How far back a cut is searched for before the stretch is made longer instead. */
const LOOK_BACK = 1024;

/**
 * Where a text can be cut near `near` so that the tokens of both sides add up: after a letter or digit that is followed
 * by something else. No piece of either encoding crosses that place, whatever is around it. The end of the text if
 * there is no such place.
 */
export function findCut(text: string, near: number): number {
  const least = Math.max(1, near - LOOK_BACK);
  for (let index = near; index >= least; index--) if (isCut(text, index)) return index;
  for (let index = near + 1; index < text.length; index++) if (isCut(text, index)) return index;
  return text.length;
}

function isCut(text: string, index: number): boolean {
  return endsPiece(text.charCodeAt(index)) && isPlainLetter(text.charCodeAt(index - 1));
}

/** ASCII that is not a letter, digit or apostrophe (an ending such as 's may follow that), and CJK punctuation. */
function endsPiece(code: number): boolean {
  if (code >= 0x80) return (code >= 0x3000 && code <= 0x3002) || code === 0xff0c;
  return code !== 0x27 && !isPlainLetter(code);
}

/** ASCII letters and digits, and the large blocks of letters without case: kana, Chinese, Korean. */
function isPlainLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || isAsciiLetter(code | 0x20);
  return (
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

function isAsciiLetter(lowerCased: number): boolean {
  return lowerCased >= 0x61 && lowerCased <= 0x7a;
}

/** Text is converted to bytes stretch by stretch, so that a count that stops early never reads the rest. */
const STRETCH_CHARS = 32 * 1024;
/** UTF-8 needs at most three bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CHAR = 3;

const encoder = new TextEncoder();

/** A counter over a vocabulary and its split pattern. */
function countBy(encoding: string, vocabulary: Vocabulary, scanPiece: ScanPiece): TokenCounter {
  const pieces = new PieceCounter(vocabulary);
  const { maxTokenBytes } = vocabulary;
  const scratch = new Uint8Array(STRETCH_CHARS * MAX_BYTES_PER_CHAR);

  /** A long piece need not be merged to know that it has more tokens than are left. */
  const countLong = (bytes: Uint8Array, start: number, end: number, left: number): number => {
    const least = Math.ceil((end - start) / maxTokenBytes);
    return least > left ? least : pieces.count(bytes, start, end);
  };

  const countStretch = (text: string, limit: number, enough: number): number => {
    const needed = text.length * MAX_BYTES_PER_CHAR;
    const bytes = needed > scratch.length ? encoder.encode(text) : scratch;
    const end = bytes === scratch ? encoder.encodeInto(text, scratch).written : bytes.length;
    let total = 0;
    for (let start = 0; start < end && total <= limit;) {
      const stop = scanPiece(bytes, start, end);
      const length = stop - start;
      if (length === 1) total++;
      else if (length <= maxTokenBytes) total += pieces.count(bytes, start, stop);
      else total += countLong(bytes, start, stop, limit - total);
      start = stop;
      if (total + end - start <= enough) return total + end - start;
    }
    return total;
  };

  const count = (text: string, given?: number, enough = Number.NEGATIVE_INFINITY): number => {
    const limit = given === undefined || Number.isNaN(given) ? Number.POSITIVE_INFINITY : given;
    if (text.length <= STRETCH_CHARS) return countStretch(text, limit, enough);
    const least = Math.ceil(text.length / maxTokenBytes);
    if (least > limit) return least;
    let total = 0;
    for (let start = 0; start < text.length && total <= limit;) {
      const rest = text.length - start;
      const stop = rest <= STRETCH_CHARS ? text.length : findCut(text, start + STRETCH_CHARS);
      // Only the last stretch can end the count early: the text after the others is not yet converted to bytes.
      const left = stop === text.length ? enough - total : Number.NEGATIVE_INFINITY;
      total += countStretch(text.slice(start, stop), limit - total, left);
      start = stop;
    }
    return total;
  };

  return { encoding, count };
}

const scanners: Readonly<Record<Encoding, ScanPiece>> = { o200k_base: scanO200k, cl100k_base: scanCl100k };

/** The counter over the bytes of an encoding's vocabulary file. */
export function createCounter(encoding: Encoding, vocabulary: Uint8Array): TokenCounter {
  return countBy(encoding, new Vocabulary(vocabulary), scanners[encoding]);
}
