import { countCodePoints } from "../../contract/code-points.ts";
import type { CanonicalDocument, Page, Span } from "../document.ts";
import { formatCount } from "./format-number.ts";
import { markedText } from "./marked-text.ts";
import type { PageMarks } from "./page-marks.ts";
import { shownStretches } from "./shown-stretches.ts";

const PARAGRAPH_END = "\n\n";

/** The document as it was digested, with its pages, its evidence marked, and where it is long, its gaps. */
export function documentView(
  { text, pages = [] }: CanonicalDocument,
  marks: PageMarks,
  maxWholeLength?: number,
): string {
  const stretches = shownStretches(text, [...marks.evidence, ...marks.sentences], maxWholeLength);
  const html: string[] = [];
  let at = 0;
  for (const stretch of stretches) {
    html.push(...gap(text, { start: at, end: stretch.start }), ...showStretch(text, stretch, pages, marks));
    at = stretch.end;
  }
  html.push(...gap(text, { start: at, end: text.length }));
  return html.join("\n");
}

function gap(text: string, { start, end }: Span): string[] {
  if (start >= end) return [];
  const left = formatCount(countCodePoints(text.slice(start, end)));
  return [`<p class="gap" lang="en">… ${left} characters …</p>`];
}

function showStretch(text: string, stretch: Span, pages: readonly Page[], marks: PageMarks): string[] {
  const html: string[] = [];
  const isWhole = stretch.start === 0 && stretch.end === text.length;
  // A stretch out of the middle says which page it is on; one from the start meets every page's beginning.
  const begun =
    stretch.start === 0
      ? undefined
      : pages.findLast(({ start, end }) => start < stretch.start && end > stretch.start);
  if (begun !== undefined) html.push(pageRule(begun.number, ", continued"));
  let at = stretch.start;
  for (const page of pages) {
    const isHere =
      page.start >= stretch.start && (page.start < stretch.end || (isWhole && page.start === stretch.end));
    if (!isHere) continue;
    html.push(...paragraphs(text, { start: at, end: page.start }, marks), pageRule(page.number));
    if (page.start === page.end) html.push(`<p class="gap" lang="en">no text</p>`);
    at = page.start;
  }
  html.push(...paragraphs(text, { start: at, end: stretch.end }, marks));
  return html;
}

function pageRule(number: number, more = ""): string {
  return `<h3 class="page" lang="en">Page ${number}${more}</h3>`;
}

function paragraphs(text: string, { start, end }: Span, marks: PageMarks): string[] {
  const html: string[] = [];
  for (let from = start; from < end;) {
    const found = text.indexOf(PARAGRAPH_END, from);
    const to = found === -1 || found > end ? end : found;
    if (to > from) html.push(`<p dir="auto">${markedText(text, { start: from, end: to }, marks)}</p>`);
    from = to + PARAGRAPH_END.length;
  }
  return html;
}
