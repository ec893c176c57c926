// What a mark says of the lines that are missing besides their numbers: how many of them say the same as a kept line, or
// how many siblings of a kept line are among them.

import type { KnownForm } from "../../text/forms/recognise-form.ts";
import { singularOf } from "../../json/main-collection.ts";
import type { NoteGap } from "./mark-gaps.ts";

interface KeptOrNot {
  has(line: number): boolean;
}

/** No note on this form is longer. */
export function longestNote({ sameAs, ranks, kind, noun }: KnownForm): string {
  if (sameAs !== undefined) return noteAlike(ranks.length, ranks.length);
  return kind === "tree" || noun !== undefined ? noteMore(ranks.length, noun) : "";
}

/** The notes on a form of which these lines are kept. Gaps come in their order, and each is asked about once. */
export function notesOn(form: KnownForm, kept: KeptOrNot): NoteGap {
  if (form.sameAs !== undefined) return alikeNotes(form.sameAs, kept);
  if (form.kind === "tree" || form.noun !== undefined) return siblingNotes(form, kept);
  return () => "";
}

function noteAlike(count: number, line: number | undefined): string {
  return `: ${count} like ${line === undefined ? "kept lines" : `line ${line}`}`;
}

function noteMore(count: number, noun?: string): string {
  return noun === undefined ? `: ${count} more` : `: ${count} ${count === 1 ? singularOf(noun) : noun}`;
}

/** If they are like one kept line, it is named. */
function alikeNotes(sameAs: Int32Array, kept: KeptOrNot): NoteGap {
  return (first, last) => {
    let count = 0;
    const like = new Set<number>();
    for (let line = first - 1; line < last; line++) {
      const one = sameAs[line] ?? line;
      if (one === line || !kept.has(one)) continue;
      if (like.size < 2) like.add(one);
      count++;
    }
    if (count === 0) return "";
    const [only = 0, another] = like;
    return noteAlike(count, another === undefined ? only + 1 : undefined);
  };
}

/** Lines whose parent is kept are the siblings that are missing; what stands below them is missing with them. */
function siblingNotes({ parents, kind, noun }: KnownForm, kept: KeptOrNot): NoteGap {
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
