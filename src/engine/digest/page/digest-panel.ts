import {
  type DigestPayload,
  type EvidenceSnippet,
  parseLocator,
} from "../../../core/contract/digest-payload.ts";
import { escapeHtml, formatCount, formatScore } from "../../../core/report/page-text.ts";
import type { Mark, PageMarks } from "./page-marks.ts";

const BAR_WIDTH = 100;

/** The digest itself: each of its sentences leads to where it stands in the document. */
export function digestPanel(text: string, payload: DigestPayload, marks: PageMarks): string {
  const sentences = marks.sentences.filter(({ id }) => id.startsWith("summary-"));
  return [
    ...summaryPart(payload, sentences, text),
    ...pointsPart(payload, new Set(marks.sentences.map(({ id }) => id))),
    ...evidencePart(payload, new Set(marks.evidence.map(({ id }) => id))),
  ].join("\n");
}

function part(name: string, title: string, body: string): string {
  return `<section aria-labelledby="${name}"><h2 id="${name}">${title}</h2>\n${body}\n</section>`;
}

function summaryPart({ summary }: DigestPayload, sentences: readonly Mark[], text: string): string[] {
  if (summary === "") return [];
  const linked = sentences.map(({ id, start, end }) => jump(id, text.slice(start, end)));
  const body = linked.length > 0 ? linked.join(" ") : escapeHtml(summary);
  return [part("summary", "Summary", `<p class="summary" dir="auto" lang="">${body}</p>`)];
}

function jump(id: string, text: string): string {
  return `<a class="jump" href="#${id}">${escapeHtml(text)}</a>`;
}

function pointsPart({ key_points }: DigestPayload, placed: ReadonlySet<string>): string[] {
  if (key_points.length === 0) return [];
  const items = key_points.map((point, index) => {
    const id = `point-${index + 1}`;
    return `<li dir="auto">${placed.has(id) ? jump(id, point) : escapeHtml(point)}</li>`;
  });
  return [part("key-points", "Key points", `<ul class="points" lang="">\n${items.join("\n")}\n</ul>`)];
}

function evidencePart({ evidence_snippets }: DigestPayload, placed: ReadonlySet<string>): string[] {
  const items = evidence_snippets.map((snippet, index) => quote(snippet, index + 1, placed));
  const body =
    items.length === 0
      ? `<p class="none">No passage was chosen.</p>`
      : `<ol class="quotes">\n${items.join("\n")}\n</ol>`;
  return [part("evidence", "Evidence", body)];
}

function quote(snippet: EvidenceSnippet, number: number, placed: ReadonlySet<string>): string {
  const { text, relevance_score: score } = snippet;
  const id = `evidence-${number}`;
  const words = escapeHtml(text);
  const said = placed.has(id) ? `<a class="jump" href="#${id}">${words}</a>` : words;
  const facts =
    `<span class="tag">${number}</span>${scoreBar(score)}` +
    `<span class="score">${formatScore(score)}</span><span class="place">${describePlace(snippet)}</span>`;
  return `<li id="quote-${number}"><div class="facts">${facts}</div><blockquote dir="auto" lang="">${said}</blockquote></li>`;
}

/** Drawn by attributes: the page's policy lets no style in but its own sheet. */
function scoreBar(score: number): string {
  const length = Math.round(score * BAR_WIDTH);
  return (
    `<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 4" preserveAspectRatio="none" aria-hidden="true">` +
    `<rect class="rest" width="${BAR_WIDTH}" height="4"/><rect width="${length}" height="4"/></svg>`
  );
}

function describePlace({ locator }: EvidenceSnippet): string {
  const place = parseLocator(locator);
  if (place === undefined) return escapeHtml(locator);
  const page = place.page === undefined ? "" : `page ${place.page}, `;
  return `${page}${formatCount(place.start)}–${formatCount(place.end)}`;
}
