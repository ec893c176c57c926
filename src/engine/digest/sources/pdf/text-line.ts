/** A run of letters of one direction, and its position on the line. */
export interface PlacedRun extends Segment {
  readonly isRightToLeft: boolean;
}

/** A gap of this many letter heights between two words is a space, whether or not one was drawn. */
const WORD_GAP = 0.15;

/**
 * A right-to-left line in reading order. Programs draw such lines from either end, so the positions of the
 * runs decide; neighbours of the other direction, such as two English words, keep their order.
 */
export function readFromRight(runs: readonly PlacedRun[], height: number): Segment {
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
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** One line of a page as it was drawn, in the page's own units. */
export interface TextLine {
  readonly segments: readonly Segment[];
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
