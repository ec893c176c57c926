// What a mark says of the lines that are missing besides their numbers: how many of them say the same as a kept line, or
// how many siblings of a kept line are among them.

import type { KnownForm } from "../../text/forms/recognise-form.ts";
import { singularOf } from "../../json/main-collection.ts";
import type { NoteGap } from "./mark-gaps.ts";

/** What was chosen of a form. */
export interface ChosenLines {
  /** How many lines are missing. */
  readonly missing: number;
  /** The gap with most of them has room for the long note. */
  readonly hasLongNote: boolean;
  has(line: number): boolean;
}

/** The most kinds of lines that the note on the largest gap counts. */
const MAX_KINDS = 4;

/** The longest note on this form, except the one on a gap with most of the missing lines. */
export function longestNote({ sameAs, ranks, kind, noun }: KnownForm): string {
  const count = ranks.length;
  if (sameAs !== undefined) return `: ${count} like line ${count}`;
  return kind === "tree" || noun !== undefined ? noteMore(count, noun) : "";
}

/** The longest note on a gap with most of the missing lines: it counts several kinds of lines. */
export function longNote({ sameAs, ranks: { length } }: KnownForm): string {
  const kinds = Array.from({ length: MAX_KINDS }, () => `${length} like line ${length}`);
  return sameAs === undefined ? "" : `: ${kinds.join(", ")}`;
}

/** The notes on a form of which these lines are kept. */
export function notesOn(form: KnownForm, kept: ChosenLines): NoteGap {
  if (form.sameAs !== undefined) return alikeNotes(form, form.sameAs, kept);
  if (form.kind === "tree" || form.noun !== undefined) return siblingNotes(form, kept);
  return () => "";
}

function noteMore(count: number, noun?: string): string {
  return noun === undefined ? `: ${count} more` : `: ${count} ${count === 1 ? singularOf(noun) : noun}`;
}

/** Kept lines that others are like are named with a count: in a gap with most of what is missing several, else one. */
function alikeNotes({ ranks }: KnownForm, sameAs: Int32Array, kept: ChosenLines): NoteGap {
  const shown = shownFor(sameAs, kept);
  return (first, last) => {
    const counts = new Map<number, number>();
    for (let line = first - 1; line < last; line++) {
      const like = shown.get(sameAs[line] ?? line);
      if (like !== undefined) counts.set(like, (counts.get(like) ?? 0) + 1);
    }
    if (counts.size === 0) return "";
    const lines = last - first + 1;
    const isMost = kept.hasLongNote && lines * 2 > kept.missing;
    // Errors are few and say most.
    const kinds = [...counts].sort(
      ([a, timesA], [b, timesB]) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || timesB - timesA || a - b,
    );
    if (kinds.length > 1 && !isMost) return `: ${sum(kinds)} like kept lines`;
    const [only] = kinds;
    if (kinds.length === 1 && only?.[1] === lines)
      return `: ${lines === 1 ? "" : "all "}like line ${only[0] + 1}`;
    return `: ${kinds
      .slice(0, MAX_KINDS)
      .map(([line, times]) => `${times} like line ${line + 1}`)
      .join(", ")}`;
  };
}

/** For the first of lines that say the same, the first of them that is kept. */
function shownFor(sameAs: Int32Array, kept: ChosenLines): ReadonlyMap<number, number> {
  const shown = new Map<number, number>();
  for (const [line, first] of sameAs.entries())
    if (kept.has(line) && !shown.has(first)) shown.set(first, line);
  return shown;
}

function sum(kinds: readonly (readonly [number, number])[]): number {
  return kinds.reduce((all, [, times]) => all + times, 0);
}

/** Lines whose parent is kept are the siblings that are missing; what is below them is missing with them. */
function siblingNotes({ parents, kind, noun }: KnownForm, kept: ChosenLines): NoteGap {
  return (first, last) => {
    let siblings = 0;
    for (let line = first - 1; line < last; line++) {
      const parent = parents[line] ?? -1;
      if (parent < 0 || kept.has(parent)) siblings++;
    }
    // The numbers of the lines already say how many lines are missing.
    const isSaid = kind === "tree" && siblings === last - first + 1;
    return siblings === 0 || isSaid ? "" : noteMore(siblings, noun);
  };
}
