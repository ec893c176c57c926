import {
  type DigestPayload,
  type EvidenceSnippet,
  parseLocator,
} from "../../../core/contract/digest-payload.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { DigestSpans } from "../digest-result.ts";
import type { CanonicalDocument, DocumentType } from "../document.ts";
import { type Mark, type PageMarks, documentView, findMarks } from "./document-view.ts";
import { escapeHtml, formatCount, formatShare, formatScore } from "../../../core/report/page-text.ts";
import { pageLook, reportPage, reportPart } from "../../../core/report/report-page.ts";

/** The parts of a DigestResult that the page shows. */
export interface DigestPageInput {
  readonly payload: DigestPayload;
  readonly document: CanonicalDocument;
  readonly spans?: DigestSpans;
  readonly url?: string;
  readonly warnings?: readonly WarningDetail[];
}

export interface DigestPageOptions {
  /** The question; the payload has only its hash. */
  readonly query?: string | undefined;
  /** The name of the document if it has no title: its file name. */
  readonly name?: string;
  /** A document up to this length is shown completely. Default: 2,000,000. */
  readonly maxWholeLength?: number;
}

/** One self-contained page: the digest, and the document with its evidence marked. The same input gives the same page. */
export function digestPage(input: DigestPageInput, options: DigestPageOptions = {}): string {
  const { payload, document, spans } = input;
  const marks = findMarks(document.text, payload, spans);
  const title = titleOf(input, options);
  return reportPage({
    title: `${escapeHtml(title)} – digest`,
    style: pageStyle,
    styleHash: pageStyleHash,
    skip: ["document", "To the document"],
    eyebrow: "Digest",
    heading: `<h1 dir="auto" lang="">${escapeHtml(title)}</h1>`,
    facts: factsOf(input),
    below: queryOf(options),
    body: `<div class="columns">
<main class="digest">
${warningsOf(input)}${digestPanel(document.text, payload, marks)}
</main>
<article id="document" aria-label="The document" lang="">
${documentView(document, marks, options.maxWholeLength)}
</article>
</div>`,
    footer: footerOf(payload, spans),
  });
}

function titleOf({ document, url }: DigestPageInput, { name }: DigestPageOptions): string {
  const found = [document.title, name, url].find((title) => title !== undefined && title.trim() !== "");
  return found ?? "Untitled document";
}

const typeNames: Readonly<Record<DocumentType, string>> = {
  text: "Plain text",
  markdown: "Markdown",
  html: "Web page",
  pdf: "PDF",
};

function factsOf({ document: { type, pages }, payload, url }: DigestPageInput): readonly string[] {
  const { original_chars, digest_chars } = payload;
  const facts = [
    typeNames[type],
    ...(pages === undefined ? [] : [`${formatCount(pages.length)} ${pages.length === 1 ? "page" : "pages"}`]),
    `${formatCount(original_chars)} characters`,
    `as a digest ${formatCount(digest_chars)} (${formatShare(digest_chars / original_chars)})`,
  ].map((fact) => `<li>${fact}</li>`);
  // Only URLs that a browser opens as a page; any other could run a script.
  const isWeb = url !== undefined && /^https?:\/\//i.test(url);
  if (isWeb)
    facts.push(
      `<li class="url"><a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(url)}</a></li>`,
    );
  return facts;
}

function queryOf({ query }: DigestPageOptions): string {
  if (query === undefined || query.trim() === "") return "";
  return `<p class="query"><span>Asked:</span> <q dir="auto" lang="">${escapeHtml(query)}</q></p>\n`;
}

function warningsOf({ warnings = [] }: DigestPageInput): string {
  if (warnings.length === 0) return "";
  const items = warnings.map(({ message }) => `<li>${escapeHtml(message)}</li>`);
  return `<ul class="warnings" aria-label="Warnings">${items.join("")}</ul>\n`;
}

function footerOf({ source_text_hash }: DigestPayload, spans: DigestSpans | undefined): readonly string[] {
  const origin =
    spans === undefined
      ? "A model wrote the summary and the key points; the evidence is quoted."
      : "Summary, key points and evidence are quoted from the document.";
  return [
    `${origin} <code>waybill verify</code> checks every quote against the source.`,
    `Text <code>${escapeHtml(source_text_hash)}</code>`,
  ];
}

/** The hash of the style sheet below, for the page's policy; page-style.test.ts says what it must be. */
export const pageStyleHash = "sha256-In0AKVwPJ+URAbpmkafQEtHzITHHzWnP+pG+vd+Gd2w=";

export const pageStyle = `${pageLook}
.query { margin: 1.5rem 0 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--accent); font-size: 1.125rem; }
.query span { color: var(--quiet); }
.columns { display: grid; gap: 3rem; padding-bottom: 4rem; }
.digest > section:first-child h2 { margin-top: 0; }
.summary { margin: 0; font: 1.0625rem/1.65 var(--serif); }
.jump { color: inherit; text-decoration: underline 1px var(--line); text-underline-offset: .25em; }
.jump:hover, .jump:focus-visible { text-decoration-color: var(--accent); text-decoration-thickness: 2px; }
blockquote .jump:not(:hover) { text-decoration: none; }
.points { margin: 0; padding: 0; list-style: none; }
.points li { position: relative; padding-inline-start: 1.25rem; }
.points li + li { margin-top: .75rem; }
.points li::before { content: ""; position: absolute; inset-inline-start: 0; top: .65em; width: .375rem; height: .375rem; border-radius: 50%; background: var(--accent); }
.quotes { margin: 0; padding: 0; list-style: none; }
.quotes li { padding: 1rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.quotes li:first-child { padding-top: 0; border-top: 0; }
.facts { display: flex; align-items: center; gap: .625rem; color: var(--quiet); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.tag { display: inline-block; min-width: 1.5em; padding: 0 .4em; border-radius: 1em; background: var(--accent); color: var(--paper); font: 600 .75rem/1.25rem var(--sans); text-align: center; text-decoration: none; }
.bar { width: 4rem; height: 4px; border-radius: 2px; fill: var(--accent); }
.bar .rest { fill: var(--line); }
.score { white-space: nowrap; }
.place { margin-inline-start: auto; }
blockquote { display: -webkit-box; margin: .5rem 0 0; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4; font-size: .9375rem; }
.warnings { margin: 0 0 2rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; list-style: none; font-size: .9375rem; }
article { min-width: 0; max-width: 42rem; padding-top: 2rem; border-top: 1px solid var(--line); font: 1.0625rem/1.7 var(--serif); }
article p { margin: 0 0 1.1em; white-space: pre-line; unicode-bidi: isolate; }
article h3:not(.page) { margin: 2em 0 .6em; font: 600 1.1875rem/1.3 var(--serif); }
article pre { margin: 0 0 1.1em; padding: .75rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; font-size: .8125rem; line-height: 1.5; white-space: pre-wrap; }
article ul { margin: 0 0 1.1em; padding-inline-start: 1.4em; }
article li + li { margin-top: .35em; }
article li { white-space: pre-line; unicode-bidi: isolate; }
.table { margin: 0 0 1.1em; overflow-x: auto; }
.table table { border-collapse: collapse; font: .875rem/1.5 var(--sans); }
.table td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; text-align: start; }
.table tr:first-child td { font-weight: 600; }
.page { display: flex; align-items: center; gap: 1rem; margin: 2.5rem 0 1.5rem; color: var(--quiet); font: 500 .8125rem/1.5 var(--sans); }
.page::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.page:first-child { margin-top: 0; }
article .gap { margin: 2rem 0; color: var(--quiet); font: .875rem/1.5 var(--sans); text-align: center; }
mark { padding: .1em 0; background: var(--tint); color: inherit; border-radius: 2px; -webkit-box-decoration-break: clone; box-decoration-break: clone; scroll-margin-top: 30vh; }
article .tag { margin-inline-end: .35em; vertical-align: .08em; }
.said { scroll-margin-top: 30vh; }
mark:target, .said:target { background: var(--tint-strong); box-shadow: 0 0 0 3px var(--tint-strong); }
@media (min-width: 64rem) {
  .columns { grid-template-columns: minmax(19rem, 25rem) minmax(0, 42rem); gap: 5rem; justify-content: space-between; }
  .digest { position: sticky; top: 0; align-self: start; max-height: 100vh; padding-block: 2rem; overflow-y: auto; scrollbar-width: thin; }
  header { padding-bottom: 1rem; }
  article { border-top: 0; }
}
@media print {
  :root { --paper: #fff; --panel: #fff; --ink: #000; --quiet: #444; --line: #bbb; --accent: #000; --tint: #e8e8e8; }
  body { font-size: 10.5pt; }
  .skip { display: none; }
  .columns { display: block; }
  .digest { position: static; max-height: none; overflow: visible; }
  blockquote { display: block; overflow: visible; }
  .quotes li { break-inside: avoid; }
  mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; border-bottom: 1px solid #000; }
}
`;

const BAR_WIDTH = 100;

/** The digest itself: each of its sentences links to its place in the document. */
function digestPanel(text: string, payload: DigestPayload, marks: PageMarks): string {
  const sentences = marks.sentences.filter(({ id }) => id.startsWith("summary-"));
  return [
    ...summaryPart(payload, sentences, text),
    ...pointsPart(payload, new Set(marks.sentences.map(({ id }) => id))),
    ...evidencePart(payload, new Set(marks.evidence.map(({ id }) => id))),
  ].join("\n");
}

function summaryPart({ summary }: DigestPayload, sentences: readonly Mark[], text: string): string[] {
  if (summary === "") return [];
  const linked = sentences.map(({ id, start, end }) => jump(id, text.slice(start, end)));
  const body = linked.length > 0 ? linked.join(" ") : escapeHtml(summary);
  return [reportPart("summary", "Summary", `<p class="summary" dir="auto" lang="">${body}</p>`)];
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
  return [reportPart("key-points", "Key points", `<ul class="points" lang="">\n${items.join("\n")}\n</ul>`)];
}

function evidencePart({ evidence_snippets }: DigestPayload, placed: ReadonlySet<string>): string[] {
  const items = evidence_snippets.map((snippet, index) => quote(snippet, index + 1, placed));
  const body =
    items.length === 0
      ? `<p class="none">No passage was chosen.</p>`
      : `<ol class="quotes">\n${items.join("\n")}\n</ol>`;
  return [reportPart("evidence", "Evidence", body)];
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

/** Drawn with attributes: the page's policy allows no style except its own sheet. */
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
