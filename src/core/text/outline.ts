// What a text is about, in a few of its own lines.

import { orderLines } from "./forms/order-lines.ts";
import { type KnownForm, recogniseForm } from "./forms/recognise-form.ts";
import { FIRST, type FormKind, ORDINARY, STRUCTURE, lineEnd } from "./forms/text-form.ts";

/** A line of a text, or its beginning; lines count from 1. */
export interface OutlineLine {
  readonly line: number;
  readonly text: string;
}

const HEADING = /^#{1,6}[ \t]+\S.*$/gm;
const MAX_HEADINGS = 64;
const MAX_LINE_LENGTH = 80;

function shortened(text: string): string {
  // Twice as many units hold all the characters; only the last of these units can be half a character.
  return Array.from(text.trimEnd().slice(0, 2 * MAX_LINE_LENGTH))
    .slice(0, MAX_LINE_LENGTH)
    .join("");
}

/** The first headings of a text in Markdown. */
export function headingsOf(text: string): readonly OutlineLine[] {
  const headings: OutlineLine[] = [];
  let [at, line] = [0, 1];
  for (const { index, 0: heading } of text.matchAll(HEADING)) {
    for (at = text.indexOf("\n", at); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
    at = index;
    headings.push({ line, text: shortened(heading) });
    if (headings.length >= MAX_HEADINGS) break;
  }
  return headings;
}

/** How many lines are shown of a text without headings. */
const SAMPLED = 8;

interface Outline {
  /** What kind of text it is, if that is known. */
  readonly kind?: FormKind;
  readonly lines: readonly OutlineLine[];
}

/**
 * The structure of a text whose form is known; else its headings; without them lines at equal distances, the first and
 * the last among them.
 */
export function outlineOf(text: string, totalLines: number): Outline {
  const form = recogniseForm(text);
  if (form !== undefined) return { kind: form.kind, lines: structureOf(text, form) };
  const headings = headingsOf(text);
  return { lines: headings.length > 1 ? headings : sampledLines(text, totalLines) };
}

/** Without much structure, lines that say something else than those before them. */
function structureOf(text: string, form: KnownForm): readonly OutlineLine[] {
  const order = orderLines(form);
  const best = (rank: number, count: number): number[] => [...(order[rank]?.subarray(0, count) ?? [])];
  const lines = [...best(FIRST, MAX_HEADINGS), ...best(STRUCTURE, MAX_HEADINGS)].slice(0, MAX_HEADINGS);
  const missing = Math.max(0, SAMPLED - lines.length);
  return [...lines, ...best(ORDINARY, missing)]
    .toSorted((a, b) => a - b)
    .map((line) => ({
      line: line + 1,
      text: shortened(text.slice(form.lineStarts[line] ?? 0, lineEnd(text, form.lineStarts, line))),
    }))
    .filter((one) => one.text.trim() !== "");
}

function sampledLines(text: string, totalLines: number): readonly OutlineLine[] {
  const wanted = new Set<number>();
  for (let at = 0; at < SAMPLED; at++)
    wanted.add(1 + Math.round((at * Math.max(0, totalLines - 1)) / (SAMPLED - 1)));
  const found: OutlineLine[] = [];
  let start = 0;
  for (let line = 1; line <= totalLines; line++) {
    const end = text.indexOf("\n", start);
    if (wanted.has(line)) {
      const shown = shortened(text.slice(start, end < 0 ? text.length : end));
      if (shown.trim() !== "") found.push({ line, text: shown });
    }
    start = end + 1;
  }
  return found;
}
