import { canonicalText } from "./canonical-text.ts";
import type { DocumentBlock, Span } from "./document.ts";

/** Blocks are parted by a blank line at most, and cells by a space; now and then by marks that mean nothing. */
const MAX_GAP = 8;

/** A stretch of the text as it was read, found in the canonical text from `from` on; undefined when nothing is left of it. */
function place(piece: string, text: string, from: number): Span | undefined {
  const wanted = canonicalText(piece);
  if (wanted === "") return undefined;
  for (let start = from; start <= from + MAX_GAP; start++) {
    if (text.startsWith(wanted, start)) return { start, end: start + wanted.length };
  }
  return undefined;
}

/**
 * Where blocks of a text stand in its canonical form. The canonical text is made of the whole, so that it does not
 * depend on blocks; one that is not found there, because white space around it means something to Unicode, is no block.
 */
export function placeBlocks(
  raw: string,
  blocks: readonly DocumentBlock[],
  text: string,
): readonly DocumentBlock[] {
  const placed: DocumentBlock[] = [];
  let from = 0;
  for (const { start, end, kind } of blocks) {
    const piece = raw.slice(start, end);
    const found = place(piece, text, from);
    if (found === undefined) continue;
    placed.push({ ...found, kind, ...(kind === "row" ? { cells: placeCells(piece, text, found) } : {}) });
    from = found.end;
  }
  return placed;
}

function placeCells(row: string, text: string, { start }: Span): readonly Span[] {
  let from = start;
  return row.split("\t").flatMap((cell) => {
    const found = place(cell, text, from);
    if (found === undefined) return [];
    from = found.end;
    return [found];
  });
}
