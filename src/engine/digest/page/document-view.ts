import { countCodePoints } from "../../../core/text/code-points.ts";
import type { CanonicalDocument, TextSpan, DocumentBlock } from "../document.ts";
import { escapeHtml, formatCount, formatScore } from "../../../core/report/page-text.ts";
import { type DigestPayload, parseLocator } from "../../../core/contract/digest-payload.ts";
import { toUnits } from "../canonical-text.ts";
import type { DigestSpans } from "../digest-result.ts";

/** A longer document is shown in part: browsers cannot lay out 50 MB, and no reader would scroll through them. */
const MAX_WHOLE_LENGTH = 2_000_000;
/** How much is shown on both sides of a mark. */
const AROUND = 2_000;
const LOOK_BACK = 200;
/** A smaller gap is shown. */
const MIN_GAP = 500;

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A position near this one where a cut does no harm: the end of a line or a word, never inside a character. */
function tidyCut(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.min(Math.max(place, 0), text.length);
  const from = Math.max(0, place - LOOK_BACK);
  const before = text.slice(from, place);
  for (const separator of ["\n", " "]) {
    const found = before.lastIndexOf(separator);
    if (found !== -1) return from + found;
  }
  return isLowSurrogate(text.charCodeAt(place)) ? place - 1 : place;
}

/** The parts of the text that are shown, in order: all of it, or its beginning and the text around the marks. */
function shownStretches(
  text: string,
  marks: readonly TextSpan[],
  maxWholeLength = MAX_WHOLE_LENGTH,
): readonly TextSpan[] {
  if (text.length <= maxWholeLength) return [{ start: 0, end: text.length }];
  const wanted = [{ start: 0, end: 0 }, ...marks].map(({ start, end }) => ({
    // A cut moves towards the beginning, so neither cut can move into the mark.
    start: tidyCut(text, start - AROUND),
    end: Math.max(end, tidyCut(text, end + AROUND)),
  }));
  const stretches: { start: number; end: number }[] = [];
  for (const stretch of wanted.sort((a, b) => a.start - b.start)) {
    const last = stretches.at(-1);
    if (last === undefined || stretch.start > last.end + MIN_GAP) stretches.push(stretch);
    else last.end = Math.max(last.end, stretch.end);
  }
  return stretches;
}

function overlap<Part extends TextSpan>(marks: readonly Part[], { start, end }: TextSpan): readonly Part[] {
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** A range of text with its evidence and its linked sentences; a mark that began before it continues without an id. */
function markedText(text: string, stretch: TextSpan, marks: PageMarks): string {
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

/** The number comes before the mark, so that the mark contains only the quote. */
function openMark({ id, number, score, start }: EvidenceMark, inner: TextSpan): string {
  if (inner.start !== start) return "<mark>";
  const label = `Evidence ${number}, score ${formatScore(score)}: back to the list`;
  return `<a class="tag" href="#quote-${number}" aria-label="${label}">${number}</a><mark id="${id}">`;
}

/** Sentences may overlap, which elements cannot: each piece is inside all sentences that cover it. */
function linkedText(text: string, { start, end }: TextSpan, sentences: readonly Mark[]): string {
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

const PARAGRAPH_END = "\n\n";

/** The digested document, with its pages, its marked evidence and, if it is long, its gaps. */
export function documentView(document: CanonicalDocument, marks: PageMarks, maxWholeLength?: number): string {
  const { text } = document;
  const stretches = shownStretches(text, [...marks.evidence, ...marks.sentences], maxWholeLength);
  const html: string[] = [];
  let at = 0;
  for (const stretch of stretches) {
    html.push(...gap(text, { start: at, end: stretch.start }), ...showStretch(document, stretch, marks));
    at = stretch.end;
  }
  html.push(...gap(text, { start: at, end: text.length }));
  return html.join("\n");
}

function gap(text: string, { start, end }: TextSpan): string[] {
  if (start >= end) return [];
  const left = formatCount(countCodePoints(text.slice(start, end)));
  return [`<p class="gap" lang="en">… ${left} characters …</p>`];
}

function showStretch(document: CanonicalDocument, stretch: TextSpan, marks: PageMarks): string[] {
  const { text, pages = [], blocks } = document;
  if (blocks !== undefined)
    return [...showBlocks(text, blocks, stretch, (span) => markedText(text, span, marks))];
  const html: string[] = [];
  const isWhole = stretch.start === 0 && stretch.end === text.length;
  // A range from the middle names its page; a range from the start contains the beginning of every page.
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

function paragraphs(text: string, { start, end }: TextSpan, marks: PageMarks): string[] {
  const html: string[] = [];
  for (let from = start; from < end;) {
    const found = text.indexOf(PARAGRAPH_END, from);
    const to = found === -1 || found > end ? end : found;
    if (to > from) html.push(`<p dir="auto">${markedText(text, { start: from, end: to }, marks)}</p>`);
    from = to + PARAGRAPH_END.length;
  }
  return html;
}

/** Renders a range of text with its marks. */
type Show = (span: TextSpan) => string;

/** Elements that enclose consecutive blocks of one kind. */
const holders: Readonly<Record<string, readonly [open: string, close: string]>> = {
  item: ["<ul>", "</ul>"],
  row: ['<div class="table"><table>', "</table></div>"],
};

function clip({ start, end }: TextSpan, to: TextSpan): TextSpan {
  return { start: Math.max(start, to.start), end: Math.min(end, to.end) };
}

/** One block, or the part of it within the range. */
function showBlock({ kind, cells = [], ...span }: DocumentBlock, stretch: TextSpan, show: Show): string {
  const words = show(clip(span, stretch));
  if (kind === "heading") return `<h3 dir="auto">${words}</h3>`;
  if (kind === "code") return `<pre dir="ltr"><code>${words}</code></pre>`;
  if (kind === "item") return `<li dir="auto">${words}</li>`;
  if (kind !== "row") return `<p dir="auto">${words}</p>`;
  const shown = cells.map((cell) => clip(cell, stretch)).filter(({ start, end }) => start < end);
  return `<tr>${shown.map((cell) => `<td dir="auto">${show(cell)}</td>`).join("")}</tr>`;
}

/** Renders headings, code, lists and tables as such. Text between two blocks is a paragraph. */
function showBlocks(
  text: string,
  blocks: readonly DocumentBlock[],
  stretch: TextSpan,
  show: Show,
): readonly string[] {
  const html: string[] = [];
  let holder = "";
  let at = stretch.start;
  const hold = (kind: string): void => {
    if (kind === holder) return;
    html.push(...(holders[holder]?.slice(1) ?? []), ...(holders[kind]?.slice(0, 1) ?? []));
    holder = kind;
  };
  const between = (end: number): void => {
    const gap = { start: at, end };
    const isEmpty = end <= at || text.slice(at, end).trim() === "";
    if (isEmpty) return;
    hold("");
    html.push(showBlock({ ...gap, kind: "prose" }, stretch, show));
  };
  for (const block of blocks) {
    if (block.end <= stretch.start || block.start >= stretch.end) continue;
    between(block.start);
    // A blank line separates two lists, and two tables.
    if (block.kind === holder && text.slice(at, block.start).includes("\n\n")) hold("");
    hold(block.kind in holders ? block.kind : "");
    html.push(showBlock(block, stretch, show));
    at = block.end;
  }
  between(stretch.end);
  hold("");
  return html;
}

/** A range of the document to which the page links by this id. */
export interface Mark extends TextSpan {
  readonly id: string;
}

interface EvidenceMark extends Mark {
  /** Counted from 1, best first, as in the payload. */
  readonly number: number;
  readonly score: number;
}

export interface PageMarks {
  /** In the order of the document. */
  readonly evidence: readonly EvidenceMark[];
  /** Sentences of the summary and key points, which may be inside evidence; in document order. */
  readonly sentences: readonly Mark[];
}

interface Pointer {
  readonly id: string;
  readonly locator: string;
}

/** Locators count code points; all are converted to offsets of the text in one pass. */
function placeAll(text: string, pointers: readonly Pointer[]): readonly Mark[] {
  const locators = pointers.map(({ locator }) => parseLocator(locator) ?? { start: 0, end: 0 });
  const units = toUnits(
    text,
    locators.flatMap(({ start, end }) => [start, end]),
  );
  return pointers.map(({ id }, index) => {
    const [start = 0, end = 0] = units.slice(index * 2, index * 2 + 2);
    return { id, start, end };
  });
}

const inOrder = (a: TextSpan, b: TextSpan): number => a.start - b.start || a.end - b.end;

/** The positions of everything that the page marks or links to; items without a position in the text are left out. */
export function findMarks(text: string, payload: DigestPayload, spans: DigestSpans | undefined): PageMarks {
  const snippets = payload.evidence_snippets;
  const quotes = snippets.map(({ locator }, index) => ({ id: `evidence-${index + 1}`, locator }));
  const said = [
    ...(spans?.summary ?? []).map((locator, index) => ({ id: `summary-${index + 1}`, locator })),
    ...(spans?.key_points ?? []).map((locator, index) => ({ id: `point-${index + 1}`, locator })),
  ];
  const placed = placeAll(text, [...quotes, ...said]);
  const evidence = placed.slice(0, quotes.length).map((mark, index) => ({
    ...mark,
    number: index + 1,
    score: snippets[index]?.relevance_score ?? 0,
  }));
  const isPlaced = ({ start, end }: TextSpan): boolean => end > start;
  return {
    evidence: apart(evidence.filter(isPlaced).sort(inOrder)),
    sentences: placed.slice(quotes.length).filter(isPlaced).sort(inOrder),
  };
}

/** Our own evidence never overlaps; in a payload made elsewhere, an overlapping part is marked only once. */
function apart(marks: readonly EvidenceMark[]): readonly EvidenceMark[] {
  let reached = 0;
  return marks.flatMap((mark) => {
    const start = Math.max(mark.start, reached);
    if (start >= mark.end) return [];
    reached = mark.end;
    return [{ ...mark, start }];
  });
}
