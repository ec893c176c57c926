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
 * spaces; others by a line end; paragraphs by a blank line. `onLine` learns the range of each line.
 */
export function joinLines(
  lines: readonly TextLine[],
  onLine?: (line: TextLine, start: number, end: number) => void,
): string {
  const pieces = lines.map(toPiece);
  const parts: string[] = [];
  let length = 0;
  const add = (part: string, line?: TextLine): void => {
    parts.push(part);
    if (line !== undefined) onLine?.(line, length, length + part.length);
    length += part.length;
  };
  let start = 0;
  for (let end = 1; end <= pieces.length; end++) {
    const [last, next] = [pieces[end - 1], pieces[end]];
    if (last === undefined || (next !== undefined && isSameBlock(last, next))) continue;
    const members = pieces.slice(start, end);
    const block = measure(members);
    for (const [index, piece] of members.entries()) {
      const before = members[index - 1];
      if (before !== undefined) add(jointWithin(block, before, piece));
      add(piece.text, piece.line);
    }
    if (next !== undefined) add(jointBetween(block, last, next));
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

/** A run of letters of one direction, and its position on the line. */
export interface PlacedRun extends LineSegment {
  readonly isRightToLeft: boolean;
}

/** A gap of this many letter heights between two words is a space, whether or not one was drawn. */
const WORD_GAP = 0.15;

/**
 * A right-to-left line in reading order. Programs draw such lines from either end, so the positions of the
 * runs decide; neighbours of the other direction, such as two English words, keep their order.
 */
export function readFromRight(runs: readonly PlacedRun[], height: number): LineSegment {
  const sorted = runs.toSorted((one, other) => other.right - one.right);
  let text = "";
  let left = Number.POSITIVE_INFINITY;
  for (let start = 0; start < sorted.length;) {
    const end = endOfGroup(sorted, start);
    const group = sorted.slice(start, end).reverse();
    if (left - (group.at(-1)?.right ?? left) > WORD_GAP * height && text !== "") text += " ";
    for (const [index, run] of group.entries()) {
      if (run.left - (group[index - 1]?.right ?? run.left) > WORD_GAP * height) text += " ";
      text += run.text;
      left = Math.min(left, run.left);
    }
    start = end;
  }
  return { text, left, right: sorted[0]?.right ?? left };
}

/** A right-to-left run is a group alone, other runs with their neighbours. */
function endOfGroup(runs: readonly PlacedRun[], start: number): number {
  let end = start + 1;
  if (runs[start]?.isRightToLeft === true) return end;
  while (runs[end]?.isRightToLeft === false) end++;
  return end;
}

/** A part of a line without a wide gap. Positions are measured along the writing direction. */
export interface LineSegment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** One line of a page as it was drawn, in the page's own units. */
export interface TextLine {
  readonly segments: readonly LineSegment[];
  /** The height of the baseline, with the text upright. */
  readonly baseline: number;
  /** The size of its letters; 0 if the font does not say, and then no position is reliable. */
  readonly height: number;
  readonly isRightToLeft: boolean;
  /** The writing direction, in degrees. */
  readonly angle: number;
}

/** The parts of pdf.js's run of letters that are used here. */
export interface TextRun {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  /** Six numbers: the matrix that turns text space into page space. */
  readonly transform: readonly unknown[];
  readonly hasEOL: boolean;
  readonly fontName: string;
}

/** A wider gap, in letter heights, may separate two columns or two cells. */
const WIDE_GAP = 1.2;
const blank = /^\s*$/;

interface Draft {
  readonly segments: { text: string; left: number; right: number }[];
  readonly runs: PlacedRun[];
  baseline: number;
  height: number;
  rightToLeft: number;
  angle: number;
  hasGap: boolean;
}

function newDraft(): Draft {
  return { segments: [], runs: [], baseline: 0, height: 0, rightToLeft: 0, angle: 0, hasGap: false };
}

function place({ transform }: TextRun) {
  const [a, b, , , x, y] = transform as readonly [number, number, number, number, number, number];
  const size = Math.hypot(a, b) || 1;
  return {
    along: (x * a + y * b) / size,
    across: (y * a - x * b) / size,
    angle: b === 0 && a > 0 ? 0 : Math.round((Math.atan2(b, a) * 180) / Math.PI),
  };
}

function append(draft: Draft, run: TextRun, isVertical: boolean): void {
  const { along: left, across, angle } = place(run);
  const last = draft.segments.at(-1);
  const right = left + run.width;
  const isRightToLeft = run.dir === "rtl";
  draft.rightToLeft += isRightToLeft ? run.str.length : -run.str.length;
  draft.runs.push({ text: run.str, left, right, isRightToLeft });
  if (last === undefined) {
    draft.baseline = across;
    draft.angle = angle;
  }
  // A raised or lowered mark may begin a line; the tallest letters decide its height.
  if (!isVertical && run.height > draft.height) draft.height = run.height;
  if (last === undefined || draft.hasGap) draft.segments.push({ text: run.str, left, right });
  else {
    last.text += run.str;
    last.left = Math.min(last.left, left);
    last.right = Math.max(last.right, right);
  }
  draft.hasGap = false;
}

function settle({ segments, runs, baseline, height, rightToLeft, angle }: Draft): TextLine {
  const isRightToLeft = rightToLeft > 0;
  const read = isRightToLeft && runs.length > 1 ? [readFromRight(runs, height)] : segments;
  return { segments: read, baseline, height, angle, isRightToLeft };
}

/** Collects the runs of a page into lines, in drawing order. */
export function createLineCollector(): {
  readonly add: (run: TextRun, isVertical: boolean) => void;
  readonly lines: () => readonly TextLine[];
} {
  const lines: TextLine[] = [];
  let draft = newDraft();
  const end = (): void => {
    if (draft.segments.length > 0) lines.push(settle(draft));
    draft = newDraft();
  };
  return {
    add: (run, isVertical) => {
      const last = draft.segments.at(-1);
      if (!blank.test(run.str)) append(draft, run, isVertical);
      else if (run.width > WIDE_GAP * draft.height && !isVertical) draft.hasGap = last !== undefined;
      else if (run.str !== "" && last !== undefined) last.text += " ";
      if (run.hasEOL) end();
    },
    lines: () => {
      end();
      return lines;
    },
  };
}
