import type { Segment, TextLine } from "./text-line.ts";

/** So many lines beside each other are columns; fewer may be a heading with a number, or chance. */
const COLUMN_LINES = 4;
/** Prose fills its column; a table's cells are short, and are read row by row. */
const PROSE_CHARS = 20;
const PROSE_FILL = 0.6;

interface Gutter {
  readonly left: number;
  readonly right: number;
}

interface Columns {
  readonly gutter: Gutter;
  /** The line after the last that keeps the gutter free. */
  readonly end: number;
}

/**
 * Puts the lines of a page into reading order. What a page draws first is nearly always read first, so the order of
 * drawing stands, with two exceptions: a page drawn from the bottom up, and columns drawn line by line across.
 */
export function orderLines(lines: readonly TextLine[]): readonly TextLine[] {
  const downward = isDrawnUpward(lines)
    ? lines.toSorted((one, other) => other.baseline - one.baseline || leftOf(one) - leftOf(other))
    : lines;
  return downward.some(({ segments }) => segments.length > 1) ? splitColumns(downward) : downward;
}

function leftOf({ segments }: TextLine): number {
  return segments[0]?.left ?? 0;
}

function isDrawnUpward(lines: readonly TextLine[]): boolean {
  let up = 0;
  for (let index = 1; index < lines.length; index++) {
    const [line, next] = [lines[index - 1], lines[index]];
    if (line === undefined || next === undefined || line.angle !== next.angle) return false;
    up += Math.sign(next.baseline - line.baseline);
  }
  return up > lines.length / 2;
}

function splitColumns(lines: readonly TextLine[]): readonly TextLine[] {
  const ordered: TextLine[] = [];
  let index = 0;
  while (index < lines.length) {
    const columns = findColumns(lines, index);
    if (columns === undefined) {
      ordered.push(...lines.slice(index, ++index));
      continue;
    }
    const { gutter, end } = columns;
    const rows = lines.slice(index, end);
    ordered.push(...sideOf(rows, (segment) => segment.right <= gutter.left));
    ordered.push(...splitColumns(sideOf(rows, (segment) => segment.left >= gutter.right)));
    index = end;
  }
  return ordered;
}

function sideOf(lines: readonly TextLine[], isOnSide: (segment: Segment) => boolean): TextLine[] {
  return lines
    .map((line) => ({ ...line, segments: line.segments.filter(isOnSide) }))
    .filter(({ segments }) => segments.length > 0);
}

/** The columns that begin at a line, by the leftmost gap in it that stays free below. */
function findColumns(lines: readonly TextLine[], start: number): Columns | undefined {
  const segments = lines[start]?.segments ?? [];
  for (let index = 1; index < segments.length; index++) {
    const gutter = { left: segments[index - 1]?.right ?? 0, right: segments[index]?.left ?? 0 };
    const columns = followGutter(lines, start, gutter);
    if (columns !== undefined && isProse(lines.slice(start, columns.end), columns.gutter)) return columns;
  }
  return undefined;
}

function followGutter(lines: readonly TextLine[], start: number, first: Gutter): Columns | undefined {
  let gutter = first;
  let end = start;
  for (; end < lines.length; end++) {
    const [before, line] = [lines[end - 1], lines[end]];
    if (line === undefined || (before !== undefined && end > start && !isNextBelow(before, line))) break;
    const narrowed = narrow(gutter, line);
    if (narrowed === undefined) break;
    gutter = narrowed;
  }
  const isBeside = ({ segments }: TextLine): boolean => segments.length > 1;
  return lines.slice(start, end).filter(isBeside).length < COLUMN_LINES ? undefined : { gutter, end };
}

function isNextBelow(line: TextLine, next: TextLine): boolean {
  const drop = line.baseline - next.baseline;
  return line.angle === next.angle && drop > 0 && drop < 3 * Math.max(line.height, next.height);
}

/** What a line leaves free of a gutter; undefined when it writes across it. */
function narrow(gutter: Gutter, { segments, height }: TextLine): Gutter | undefined {
  let { left, right } = gutter;
  const middle = (left + right) / 2;
  for (const segment of segments) {
    if (segment.left < middle) left = Math.max(left, segment.right);
    else right = Math.min(right, segment.left);
  }
  return right - left < height / 2 ? undefined : { left, right };
}

function isProse(lines: readonly TextLine[], gutter: Gutter): boolean {
  const left = lines.flatMap(({ segments }) => segments.filter(({ right }) => right <= gutter.left));
  const right = lines.flatMap(({ segments }) => segments.filter((segment) => segment.left >= gutter.right));
  return [left, right].every((side) => {
    const widest = side.reduce((most, segment) => Math.max(most, segment.right - segment.left), 0);
    const filled = side.reduce((sum, segment) => sum + segment.right - segment.left, 0);
    const chars = side.reduce((sum, { text }) => sum + text.length, 0);
    return chars >= PROSE_CHARS * side.length && filled >= PROSE_FILL * widest * side.length;
  });
}
