import type { TextLine } from "./text-line.ts";

/** Marks a hyphen at the end of a line until all pages are read. Page text never contains it otherwise. */
export const LINE_END_HYPHEN = "\u00ad";

// A word starts at its beginning and has a limited length: otherwise long runs of letters take quadratic time.
const broken = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{1,40})[-\u2010]\u00ad([\p{L}\p{M}]{1,40})/gu;
const compound = /(?<![\p{L}\p{M}])[\p{L}\p{M}]{1,40}[-\u2010][\p{L}\p{M}]{1,40}/gu;

/**
 * Joins words that were divided at the end of a line. A PDF does not show whether the hyphen is part of the
 * word, so the document decides: a word that has the hyphen inside a line elsewhere keeps it.
 */
export function mendHyphens(pages: readonly string[]): readonly string[] {
  if (!pages.some((page) => page.includes(LINE_END_HYPHEN))) return pages;
  const compounds = new Set<string>();
  for (const page of pages)
    for (const [word] of page.matchAll(compound)) compounds.add(word.replace("\u2010", "-").toLowerCase());
  return pages.map((page) =>
    page.includes(LINE_END_HYPHEN)
      ? page
          .replaceAll(broken, (_, head: string, tail: string) =>
            compounds.has(`${head}-${tail}`.toLowerCase()) ? `${head}-${tail}` : head + tail,
          )
          .replaceAll(LINE_END_HYPHEN, "")
      : page,
  );
}

/** A line further below than this many usual steps begins a paragraph. */
const PARAGRAPH_STEP = 1.3;
/** The usual step in letter heights, if too few lines show it. */
const STEP_HEIGHTS = 1.45;
const FEW_STEPS = 3;

const endsInHyphen = /\p{Ll}[-\u2010]$/u;
const beginsLower = /^\p{Ll}/u;
const beginsListItem = /^(?:[•‣◦▪–—*-]|\(?(?:\d{1,3}|\p{L})[.)])\s/u;
const endsSentence = /[.!?:;。！？…]["'”’»)\]]*$/u;
const spaceless =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uff60]/u;

/** A line with its measures. */
interface Piece {
  readonly line: TextLine;
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Lines of one column and one size: its edges and the usual step from line to line. */
interface Block {
  readonly left: number;
  readonly right: number;
  readonly step: number;
}

/**
 * The lines of a page as one text. Wrapped lines are joined by a space, or by nothing in scripts without
 * spaces; others by a line end; paragraphs by a blank line.
 */
export function joinLines(lines: readonly TextLine[]): string {
  const pieces = lines.map(toPiece);
  const parts: string[] = [];
  let start = 0;
  for (let end = 1; end <= pieces.length; end++) {
    const [last, next] = [pieces[end - 1], pieces[end]];
    if (last === undefined || (next !== undefined && isSameBlock(last, next))) continue;
    const members = pieces.slice(start, end);
    const block = measure(members);
    for (const [index, piece] of members.entries()) {
      const before = members[index - 1];
      if (before !== undefined) parts.push(jointWithin(block, before, piece));
      parts.push(piece.text);
    }
    if (next !== undefined) parts.push(jointBetween(block, last, next));
    start = end;
  }
  return parts.join("");
}

function toPiece(line: TextLine): Piece {
  const { segments } = line;
  const text = segments.map((segment) => segment.text).join(" ");
  return {
    line,
    // pdf.js drops soft hyphens, and only we may write the mark of a line's end.
    text: text.trim().replaceAll("\u00ad", "-"),
    left: segments[0]?.left ?? 0,
    right: segments.at(-1)?.right ?? 0,
  };
}

function isSameBlock(one: Piece, next: Piece): boolean {
  const drop = one.line.baseline - next.line.baseline;
  return (
    one.line.height > 0 &&
    isSameSize(one.line, next.line) &&
    drop > 0 &&
    drop < 4 * one.line.height &&
    one.left < next.right &&
    next.left < one.right
  );
}

function isSameSize(line: TextLine, next: TextLine): boolean {
  return line.angle === next.angle && Math.abs(line.height - next.height) < 0.15 * line.height;
}

function measure(pieces: readonly Piece[]): Block {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  const steps: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    left = Math.min(left, piece.left);
    right = Math.max(right, piece.right);
    const { baseline, height } = piece.line;
    const drop = (pieces[index - 1]?.line.baseline ?? baseline) - baseline;
    if (drop >= 0.8 * height) steps.push(drop);
  }
  const height = pieces[0]?.line.height ?? 0;
  if (steps.length < FEW_STEPS) return { left, right, step: STEP_HEIGHTS * height };
  // Steps between paragraphs are larger, never smaller: the lower quarter is the step within them.
  steps.sort((one, other) => one - other);
  return { left, right, step: steps[Math.floor(steps.length / 4)] ?? height };
}

function jointWithin(block: Block, piece: Piece, next: Piece): string {
  if (piece.line.baseline - next.line.baseline > PARAGRAPH_STEP * block.step) return "\n\n";
  return isWrapped(block, piece, next) ? wrapJoint(piece.text, next.text) : "\n";
}

/** A sentence may continue at the top of the next column; otherwise a new block is a new paragraph. */
function jointBetween(block: Block, piece: Piece, next: Piece): string {
  if (piece.line.height === 0 || next.line.height === 0) return "\n";
  const goesOn =
    isSameSize(piece.line, next.line) &&
    next.line.baseline > piece.line.baseline &&
    !endsSentence.test(piece.text.slice(-8)) &&
    (beginsLower.test(next.text) || spaceless.test(next.text)) &&
    isWrapped(block, piece, next);
  return goesOn ? wrapJoint(piece.text, next.text) : "\n\n";
}

/** Whether the first word of the next line had no room on this line. */
function isWrapped(block: Block, { line, text, left, right }: Piece, next: Piece): boolean {
  if (line.segments.length > 1 || next.line.segments.length > 1 || beginsListItem.test(next.text))
    return false;
  const room = line.isRightToLeft ? left - block.left : block.right - right;
  const letterWidth = (right - left) / Math.max(1, text.length);
  const space = next.text.indexOf(" ");
  const firstWord = spaceless.test(next.text) ? 1 : space < 0 ? next.text.length : space;
  return room < letterWidth * (firstWord + 1.5);
}

function wrapJoint(before: string, next: string): string {
  if (endsInHyphen.test(before.slice(-3)) && beginsLower.test(next)) return LINE_END_HYPHEN;
  return spaceless.test(before.slice(-1)) && spaceless.test(next) ? "" : " ";
}
