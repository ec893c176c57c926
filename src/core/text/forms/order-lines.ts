// The order in which the lines of a form are kept: by rank, and within a rank the less deep first, and of siblings those
// at both ends. So a list shows how it begins and ends, a tree its upper floors, before either is complete.

import { DECORATION, type TextForm } from "./text-form.ts";

/** For this many of the first siblings, one of the last is taken. */
const FIRST_FOR_A_LAST = 3;
/** One level deeper delays a line as much as twice as many siblings before it. */
const A_LEVEL = 8;
/** Steps between one number of siblings and its double, so that a line need not be compared with every other. */
const STEPS = 8;
/** Lines that come as late as this are no longer told apart. */
const LATEST = 4_095;

/** The lines of each rank in the order in which they are kept, without those that say the same as an earlier one. */
export type LineOrder = readonly Int32Array[];

export function orderLines({ parents, ranks, sameAs }: TextForm): LineOrder {
  const lateness = latenessOf(parents);
  // A counting sort: a text may have a million lines.
  const buckets = (DECORATION + 1) * (LATEST + 1);
  const bucketOf = (line: number): number => (ranks[line] ?? 0) * (LATEST + 1) + (lateness[line] ?? 0);
  const isRepeat = (line: number): boolean => sameAs !== undefined && sameAs[line] !== line;
  const starts = new Int32Array(buckets + 1);
  for (let line = 0; line < ranks.length; line++) if (!isRepeat(line)) increase(starts, bucketOf(line) + 1);
  for (let bucket = 1; bucket <= buckets; bucket++) increase(starts, bucket, starts[bucket - 1]);
  const ends = starts.slice();
  const order = new Int32Array(ends[buckets] ?? 0);
  for (let line = 0; line < ranks.length; line++) {
    if (isRepeat(line)) continue;
    const bucket = bucketOf(line);
    order[ends[bucket] ?? 0] = line;
    increase(ends, bucket);
  }
  return Array.from({ length: DECORATION + 1 }, (_, rank) =>
    order.subarray(starts[rank * (LATEST + 1)], starts[(rank + 1) * (LATEST + 1)]),
  );
}

function increase(counts: Int32Array, at: number, by = 1): void {
  counts[at] = (counts[at] ?? 0) + by;
}

/** How late each line comes within its rank. A parent is before its children, so one pass is enough. */
function latenessOf(parents: Int32Array): Uint16Array {
  const siblings = new Int32Array(parents.length + 1);
  for (const parent of parents) increase(siblings, parent + 1);
  const seen = new Int32Array(parents.length + 1);
  const lateness = new Uint16Array(parents.length);
  for (const [line, parent] of parents.entries()) {
    const before = seen[parent + 1] ?? 0;
    increase(seen, parent + 1);
    const above = parent < 0 ? 0 : (lateness[parent] ?? 0) + A_LEVEL;
    const turn = turnOf(before, (siblings[parent + 1] ?? 0) - before - 1);
    lateness[line] = Math.min(LATEST, above + Math.floor(STEPS * Math.log2(turn + 1)));
  }
  return lateness;
}

/** When the turn of a sibling comes, by the number of siblings before it and after it. */
function turnOf(before: number, after: number): number {
  const fromFirst = before + Math.floor(before / FIRST_FOR_A_LAST);
  const fromLast = FIRST_FOR_A_LAST + (FIRST_FOR_A_LAST + 1) * after;
  return Math.min(fromFirst, fromLast);
}
