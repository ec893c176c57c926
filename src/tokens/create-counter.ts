import { findCut } from "./find-cut.ts";
import { PieceCounter } from "./piece-counter.ts";
import type { ScanPiece } from "./scan-piece.ts";
import type { TokenCounter } from "./token-counter.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Text is turned into bytes stretch by stretch, so that a count that stops early never sees the rest. */
const STRETCH_CHARS = 32 * 1024;
/** UTF-8 needs at most three bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CHAR = 3;

const encoder = new TextEncoder();

/** A counter over a vocabulary and the split pattern that goes with it. */
export function createCounter(encoding: string, vocabulary: Vocabulary, scanPiece: ScanPiece): TokenCounter {
  const pieces = new PieceCounter(vocabulary);
  const { maxTokenBytes } = vocabulary;
  const scratch = new Uint8Array(STRETCH_CHARS * MAX_BYTES_PER_CHAR);

  /** A long piece need not be merged to know that it has more tokens than are left. */
  const countLong = (bytes: Uint8Array, start: number, end: number, left: number): number => {
    const least = Math.ceil((end - start) / maxTokenBytes);
    return least > left ? least : pieces.count(bytes, start, end);
  };

  const countStretch = (text: string, limit: number): number => {
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
    }
    return total;
  };

  const count = (text: string, given?: number): number => {
    const limit = given === undefined || Number.isNaN(given) ? Number.POSITIVE_INFINITY : given;
    if (text.length <= STRETCH_CHARS) return countStretch(text, limit);
    const least = Math.ceil(text.length / maxTokenBytes);
    if (least > limit) return least;
    let total = 0;
    for (let start = 0; start < text.length && total <= limit;) {
      const rest = text.length - start;
      const stop = rest <= STRETCH_CHARS ? text.length : findCut(text, start + STRETCH_CHARS);
      total += countStretch(text.slice(start, stop), limit - total);
      start = stop;
    }
    return total;
  };

  return { encoding, count };
}
