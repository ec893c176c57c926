import type { DigestPayload } from "../../../core/contract/digest-payload.ts";
import { pageHead } from "../../../core/report/page-head.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { DigestSpans } from "../digest-result.ts";
import type { CanonicalDocument, DocumentType } from "../document.ts";
import { digestPanel } from "./digest-panel.ts";
import { documentView } from "./document-view.ts";
import { escapeHtml, formatCount, formatShare } from "../../../core/report/page-text.ts";
import { findMarks } from "./page-marks.ts";
import { pageStyle, pageStyleHash } from "./page-style.ts";

/** What of a DigestResult the page shows. */
export interface DigestPageInput {
  readonly payload: DigestPayload;
  readonly document: CanonicalDocument;
  readonly spans?: DigestSpans;
  readonly url?: string;
  readonly warnings?: readonly WarningDetail[];
}

export interface DigestPageOptions {
  /** What was asked; the payload has only its hash. */
  readonly query?: string | undefined;
  /** What the document is called where it has no title: its file's name. */
  readonly name?: string;
  /** A document up to this length is shown whole. Default: 2,000,000. */
  readonly maxWholeLength?: number;
}

/** One self-contained page: the digest, and the document with its evidence marked. The same input gives the same page. */
export function digestPage(input: DigestPageInput, options: DigestPageOptions = {}): string {
  const { payload, document, spans } = input;
  const marks = findMarks(document.text, payload, spans);
  const title = titleOf(input, options);
  return `${pageHead({ title: `${escapeHtml(title)} – digest`, style: pageStyle, styleHash: pageStyleHash })}
<body>
<a class="skip" href="#document">To the document</a>
<header>
<p class="eyebrow">Digest</p>
<h1 dir="auto" lang="">${escapeHtml(title)}</h1>
${factsOf(input)}
${queryOf(options)}</header>
<div class="columns">
<main class="digest">
${warningsOf(input)}${digestPanel(document.text, payload, marks)}
</main>
<article id="document" aria-label="The document" lang="">
${documentView(document, marks, options.maxWholeLength)}
</article>
</div>
${footerOf(payload, spans)}
</body>
</html>
`;
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

function factsOf({ document: { type, pages }, payload, url }: DigestPageInput): string {
  const { original_chars, digest_chars } = payload;
  const facts = [
    typeNames[type],
    ...(pages === undefined ? [] : [`${formatCount(pages.length)} ${pages.length === 1 ? "page" : "pages"}`]),
    `${formatCount(original_chars)} characters`,
    `as a digest ${formatCount(digest_chars)} (${formatShare(digest_chars / original_chars)})`,
  ].map((fact) => `<li>${fact}</li>`);
  // Only what a browser opens as a page; anything else would be a way to run a script.
  const isWeb = url !== undefined && /^https?:\/\//i.test(url);
  if (isWeb)
    facts.push(
      `<li class="url"><a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(url)}</a></li>`,
    );
  return `<ul class="about">${facts.join("")}</ul>`;
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

function footerOf({ source_text_hash }: DigestPayload, spans: DigestSpans | undefined): string {
  const origin =
    spans === undefined
      ? "A model wrote the summary and the key points; the evidence is quoted."
      : "Summary, key points and evidence are quoted from the document.";
  return `<footer><p>${origin} <code>waybill verify</code> checks every quote against the source.</p>
<p>Text <code>${escapeHtml(source_text_hash)}</code></p></footer>`;
}
