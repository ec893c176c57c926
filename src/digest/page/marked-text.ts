import type { Span } from "../document.ts";
import { escapeHtml } from "./escape-html.ts";
import { formatScore } from "./format-number.ts";
import type { EvidenceMark, Mark, PageMarks } from "./page-marks.ts";

function overlap<Part extends Span>(marks: readonly Part[], { start, end }: Span): readonly Part[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** A stretch of text with its evidence and its linked sentences; a mark that began before it goes on without an id. */
export function markedText(text: string, stretch: Span, marks: PageMarks): string {
  const sentences = overlap(marks.sentences, stretch);
  let html = "";
  let at = stretch.start;
  for (const mark of overlap(marks.evidence, stretch)) {
    const inner = { start: Math.max(mark.start, stretch.start), end: Math.min(mark.end, stretch.end) };
    html += linkedText(text, { start: at, end: inner.start }, sentences);
    html += openMark(mark, inner) + linkedText(text, inner, sentences) + "</mark>";
    at = inner.end;
  }
  return html + linkedText(text, { start: at, end: stretch.end }, sentences);
}

/** The number stands before the mark, so that what is inside is the quote and nothing else. */
function openMark({ id, number, score, start }: EvidenceMark, inner: Span): string {
  if (inner.start !== start) return "<mark>";
  const label = `Evidence ${number}, score ${formatScore(score)}: back to the list`;
  return `<a class="tag" href="#quote-${number}" aria-label="${label}">${number}</a><mark id="${id}">`;
}

/** Sentences may overlap one another, which elements cannot: each piece stands in all that cover it. */
function linkedText(text: string, { start, end }: Span, sentences: readonly Mark[]): string {
  if (start >= end) return "";
  const near = overlap(sentences, { start, end });
  const cuts = near.flatMap((mark) => [mark.start, mark.end]).filter((cut) => cut > start && cut < end);
  const edges = [...new Set([start, ...cuts, end])].sort((a, b) => a - b);
  return edges
    .slice(1)
    .map((to, index) => {
      const from = edges[index] ?? start;
      const covering = overlap(near, { start: from, end: to });
      const open = covering.map((mark) =>
        mark.start === from ? `<span class="said" id="${mark.id}">` : '<span class="said">',
      );
      return open.join("") + escapeHtml(text.slice(from, to)) + "</span>".repeat(covering.length);
    })
    .join("");
}
