// What the last line behind a cut text says of its lines: which are kept, in words, and which to ask for next.

import type { Runs } from "./omission.ts";

interface MissingLines {
  /** The gaps, first and last line of each. */
  readonly runs: Runs;
  readonly total: number;
}

const MAX_SAID_PLACES = 3;

/** The lines that were kept, in words; many places only as a number. */
export function sayKeptLines({ runs, total }: MissingLines): string {
  const kept: string[] = [];
  let next = 1;
  for (const [first, last] of [...runs, [total + 1, total + 1] as const]) {
    if (first > next) kept.push(first - 1 === next ? `${next}` : `${next}-${first - 1}`);
    next = last + 1;
  }
  const of = total.toLocaleString("en-US");
  if (kept.length > MAX_SAID_PLACES) {
    const missing = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    return `${(total - missing).toLocaleString("en-US")} of ${of} lines, in ${kept.length} places`;
  }
  const places = [kept.slice(0, -1).join(", "), ...kept.slice(-1)].filter((place) => place !== "");
  return `lines ${places.join(" and ")} of ${of}`;
}

/** The lines to ask for next, and in how many of the gaps they are. */
export interface NextLines {
  readonly lines: string;
  readonly gaps: number;
}

const MAX_RANGES = 3;
/** A longer list of ranges would cost more than it says. */
const MAX_RANGES_LENGTH = 24;

/**
 * What is missing first. A few gaps are named one by one. Of many, such as the bodies below an outline, the first are,
 * and the last range reads on to the end, if at least half of its lines are missing.
 */
export function nextLines(missing: MissingLines): NextLines {
  const { runs } = missing;
  const most = Math.min(MAX_RANGES, runs.length);
  for (let count = most; count > 0; count--) {
    const rest = restFrom(runs, count - 1);
    if (rest === undefined) break;
    const lines = listed([...runs.slice(0, count - 1), rest], missing);
    if (count === 1 || lines.length <= MAX_RANGES_LENGTH) return { lines, gaps: runs.length };
  }
  let named = joinedGaps(runs).slice(0, MAX_RANGES);
  const lines = (): string =>
    listed(
      named.map(({ run }) => run),
      missing,
    );
  while (named.length > 1 && lines().length > MAX_RANGES_LENGTH) named = named.slice(0, -1);
  return { lines: lines(), gaps: named.reduce((sum, { gaps }) => sum + gaps, 0) };
}

function listed(ranges: Runs, { total }: MissingLines): string {
  const sayRange = ([first, last]: Runs[number]): string =>
    first === last ? `${first}` : `${first}-${last === total ? "" : last}`;
  return ranges.map(sayRange).join(",");
}

/** From this gap to the end of the last one; undefined if more of these lines were kept than are missing. */
function restFrom(runs: Runs, at: number): Runs[number] | undefined {
  const [start, end] = [runs[at]?.[0] ?? 1, runs.at(-1)?.[1] ?? 1];
  const missing = runs.slice(at).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return missing * 2 >= end - start + 1 ? [start, end] : undefined;
}

/** Between two gaps of one range, at most as many kept lines come again. */
const MAX_AGAIN = 10;

interface GapRange {
  readonly run: Runs[number];
  readonly gaps: number;
}

/** Gaps with few kept lines between them are one range, as long as at least half of its lines are missing. */
function joinedGaps(runs: Runs): readonly GapRange[] {
  const ranges: (GapRange & { readonly missing: number })[] = [];
  for (const [first, last] of runs) {
    const before = ranges.at(-1);
    const missing = last - first + 1;
    const [start, end] = before?.run ?? [first, first];
    const all = missing + (before?.missing ?? 0);
    if (before !== undefined && first - end - 1 <= MAX_AGAIN && all * 2 >= last - start + 1)
      ranges[ranges.length - 1] = { run: [start, last], gaps: before.gaps + 1, missing: all };
    else ranges.push({ run: [first, last], gaps: 1, missing });
  }
  return ranges;
}
