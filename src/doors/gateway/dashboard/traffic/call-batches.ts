// Which calls are sent to pages, and in how many pieces.

import type { CallBatch, CallRow } from "../protocol/traffic.ts";
import type { CallRing } from "./call-ring.ts";

/** How many calls a new page receives. */
const FIRST_ROWS = 500;
/** How many calls one event contains after that: four times a second, which is more than a person can read. */
const BATCH_ROWS = 100;

/**
 * The calls after `after` as batches, oldest first. Of more than `BATCH_ROWS` calls ordinary ones are left out, oldest
 * first; all others are sent, in as many batches as needed.
 */
export function batchesAfter(ring: CallRing, after: number, limit = BATCH_ROWS): readonly CallBatch[] {
  const { newestSeq } = ring;
  const first = Math.max(after + 1, ring.oldestSeq);
  const count = newestSeq - first + 1;
  let toSkip = Math.max(0, count - limit);
  const rows: CallRow[] = [];
  for (let seq = first; seq <= newestSeq; seq++) {
    if (toSkip > 0 && ring.isOrdinary(seq)) {
      toSkip -= 1;
      continue;
    }
    const row = ring.row(seq);
    if (row !== undefined) rows.push(row);
  }
  if (rows.length === 0) return [];
  const batches: CallBatch[] = [];
  for (let start = 0; start < rows.length; start += limit)
    batches.push({
      rows: rows.slice(start, start + limit),
      skipped: start === 0 ? count - rows.length : 0,
    });
  return batches;
}

/** What a new page receives: the newest calls without a gap, or those after the last it knows. */
export function newestBatch(ring: CallRing, after: number, limit = FIRST_ROWS): CallBatch {
  const { newestSeq } = ring;
  const known = Math.max(after, ring.oldestSeq - 1);
  const first = Math.max(known + 1, newestSeq - limit + 1);
  const rows: CallRow[] = [];
  for (let seq = first; seq <= newestSeq; seq++) {
    const row = ring.row(seq);
    if (row !== undefined) rows.push(row);
  }
  return { rows, skipped: first - known - 1 };
}
