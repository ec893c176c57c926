// Two texts side by side, as rows: equal lines beside each other, the rest marked.

import type { ReadableLine } from "../reading/readable-lines.ts";
import { compareLines } from "./compare-lines.ts";

export interface Cell {
  /** The number of its line, from 1. */
  readonly number: number;
  readonly line: ReadableLine;
  /** What of the line differs from the one beside it: from, to. */
  readonly mark?: readonly [from: number, to: number] | undefined;
}

export interface Row {
  readonly isSame: boolean;
  readonly left?: Cell | undefined;
  readonly right?: Cell | undefined;
}

/** Rows that belong together; those in the middle of a long part are folded at first. */
export interface Part {
  readonly rows: readonly Row[];
  readonly isFolded: boolean;
  /** What its rows are, where it is folded. */
  readonly kind: "same" | "before" | "after" | "changed";
}

/** Lines that stay in sight at both ends of a folded part. */
const CONTEXT_ROWS = 3;
/** Up to this many rows of one kind are not folded; people want to see most of what was added. */
const SHORT_ROWS: Readonly<Record<Part["kind"], number>> = {
  same: 24,
  before: 24,
  after: 150,
  changed: Infinity,
};

/** The same line may be deeper in an envelope, and be the last of its list there. */
function meaningOf({ text, isHeading }: ReadableLine): string {
  return isHeading ? `# ${text}` : text.trim().replace(/,$/, "");
}

/** Shorter lines are different as a whole: brackets and commas are everywhere. */
const MARKED_CHARS = 6;

function marksOf(left: string, right: string): { left: Cell["mark"]; right: Cell["mark"] } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const blanks = left.slice(0, start).length - left.slice(0, start).trimStart().length;
  const least = Math.min(left.trim().length, right.trim().length);
  // Lines with little in common are different as a whole.
  if (least < MARKED_CHARS || start - blanks + end < least / 2) return { left: undefined, right: undefined };
  return { left: [start, left.length - end], right: [start, right.length - end] };
}

/** What is between equal lines: beside each other where the lines are alike, else one after the other. */
function changedRows(left: readonly Cell[], right: readonly Cell[]): Row[] {
  const pairs = left.slice(0, right.length).map((one, at) => {
    const other = right[at];
    return other === undefined ? undefined : marksOf(one.line.text, other.line.text);
  });
  const alike = pairs.filter((marks) => marks?.left !== undefined).length;
  if (pairs.length > 1 && alike < pairs.length / 2)
    return [
      ...left.map((one) => ({ isSame: false, left: one })),
      ...right.map((other) => ({ isSame: false, right: other })),
    ];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const one = left[at];
    const other = right[at];
    return {
      isSame: false,
      left: one && { ...one, mark: pairs[at]?.left },
      right: other && { ...other, mark: pairs[at]?.right },
    };
  });
}

export function compareTexts(before: readonly ReadableLine[], after: readonly ReadableLine[]): Row[] {
  const left = before.map((line, index) => ({ number: index + 1, line }));
  const right = after.map((line, index) => ({ number: index + 1, line }));
  const rows: Row[] = [];
  let leftAt = 0;
  let rightAt = 0;
  const pairs = compareLines(before.map(meaningOf), after.map(meaningOf));
  for (const [leftNext, rightNext] of [...pairs, [left.length, right.length] as const]) {
    rows.push(...changedRows(left.slice(leftAt, leftNext), right.slice(rightAt, rightNext)));
    if (leftNext < left.length || rightNext < right.length)
      rows.push({ isSame: true, left: left[leftNext], right: right[rightNext] });
    [leftAt, rightAt] = [leftNext + 1, rightNext + 1];
  }
  return rows;
}

function kindOf(row: Row): Part["kind"] {
  if (row.isSame) return "same";
  if (row.right === undefined) return "before";
  return row.left === undefined ? "after" : "changed";
}

/** Long stretches of one kind show their ends and fold the rest. */
export function foldRows(rows: readonly Row[]): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 1; at <= rows.length; at += 1) {
    const first = rows[from];
    const next = rows[at];
    if (first === undefined) break;
    const kind = kindOf(first);
    if (next !== undefined && kindOf(next) === kind) continue;
    const stretch = rows.slice(from, at);
    from = at;
    if (stretch.length <= SHORT_ROWS[kind]) {
      parts.push({ rows: stretch, isFolded: false, kind });
      continue;
    }
    parts.push(
      { rows: stretch.slice(0, CONTEXT_ROWS), isFolded: false, kind },
      { rows: stretch.slice(CONTEXT_ROWS, -CONTEXT_ROWS), isFolded: true, kind },
      { rows: stretch.slice(-CONTEXT_ROWS), isFolded: false, kind },
    );
  }
  return parts;
}
