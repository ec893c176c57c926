import type { FoldedText } from "./fold-text.ts";
import { characterAt, isBoundary, isWordCharacter } from "./word-boundary.ts";

/** What is looked for: pieces that follow each other, with nothing but gaps between them. */
export interface TextPattern {
  readonly pieces: readonly string[];
}

/** Past this many, further occurrences no longer change a score. */
const MAX_COUNTED = 32;

/** How often a pattern stands in a text as whole words, counted up to 32. */
export function countPattern(text: FoldedText, { pieces }: TextPattern): number {
  const [first, ...rest] = pieces;
  if (first === undefined || first === "") return 0;
  let count = 0;
  let at = text.folded.indexOf(first);
  while (at >= 0 && count < MAX_COUNTED) {
    const end = isBoundary(text, at) ? endOfMatch(text, at + first.length, rest) : -1;
    if (end >= 0) count++;
    at = text.folded.indexOf(first, end > at ? end : at + 1);
  }
  return count;
}

/** Where the match ends whose first piece ends at an offset; -1 when it is none. */
function endOfMatch(text: FoldedText, offset: number, rest: readonly string[]): number {
  if (!isBoundary(text, offset)) return -1;
  let end = offset;
  for (const piece of rest) {
    const start = skipGap(text.folded, end);
    if (!text.folded.startsWith(piece, start) || !isBoundary(text, start)) return -1;
    end = start + piece.length;
    if (!isBoundary(text, end)) return -1;
  }
  return end;
}

function skipGap(folded: string, from: number): number {
  let offset = from;
  while (offset < folded.length) {
    const character = characterAt(folded, offset);
    if (isWordCharacter(character)) break;
    offset += character.length;
  }
  return offset;
}
