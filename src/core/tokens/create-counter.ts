import { PieceCounter } from "./piece-counter.ts";
import { scanCl100k, scanO200k } from "./scan-encodings.ts";
import type { ScanPiece } from "./scan-piece.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";
import { Vocabulary } from "./vocabulary.ts";

/** How far back a cut is looked for before the stretch is made longer instead. */
const LOOK_BACK = 1024;

/**
 * Where a text can be cut near `near` so that the tokens of both sides add up: behind a letter or digit that something
 * else follows. No piece of either encoding reaches over that place, whatever stands around it. The end of the text
 * if there is no such place.
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

/** Text is turned into bytes stretch by stretch, so that a count that stops early never sees the rest. */
const STRETCH_CHARS = 32 * 1024;
/** UTF-8 needs at most three bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CHAR = 3;

const encoder = new TextEncoder();

/** A counter over a vocabulary and the split pattern that goes with it. */
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
      // Only the last stretch can end the count early: what lies behind the others is not in bytes yet.
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
