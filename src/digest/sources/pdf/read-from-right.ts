import type { Segment } from "./text-line.ts";

/** A run of letters of one direction, and where it stands on its line. */
export interface PlacedRun extends Segment {
  readonly isRightToLeft: boolean;
}

/** A gap of so many letter heights between two words is a space, whether or not one was drawn. */
const WORD_GAP = 0.15;

/**
 * A right-to-left line as it is read. Programs draw such lines from either end, so the places of the runs decide;
 * neighbours of the other direction, such as two English words, stay in theirs.
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

/** A right-to-left run stands by itself, others with their neighbours. */
function endOfGroup(runs: readonly PlacedRun[], start: number): number {
  let end = start + 1;
  if (runs[start]?.isRightToLeft === true) return end;
  while (runs[end]?.isRightToLeft === false) end++;
  return end;
}
