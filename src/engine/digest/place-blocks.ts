import { canonicalText } from "./canonical-text.ts";
import type { DocumentBlock, Span } from "./document.ts";

/** At most a blank line separates blocks, and a space separates cells; sometimes meaningless marks are between them. */
const MAX_GAP = 8;

/**
 * A piece of the text as it was read, found in the canonical text from `from` on; undefined if nothing is
 * left of it.
 */
function place(piece: string, text: string, from: number): Span | undefined {
  const wanted = canonicalText(piece);
  if (wanted === "") return undefined;
  for (let start = from; start <= from + MAX_GAP; start++) {
    if (text.startsWith(wanted, start)) return { start, end: start + wanted.length };
  }
  return undefined;
}

/**
 * The positions of blocks in the canonical form of their text. The canonical text is made from the whole, so
 * that it does not depend on blocks. A block that is not found there, because the white space around it has a
 * meaning in Unicode, is dropped.
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
