import type { DigestPayload, EvidenceSnippet } from "../../contract/digest-payload.ts";
import type { CanonicalDocument } from "../../digest/document.ts";
import { formatCount, formatScore, formatShare } from "../../digest/page/format-number.ts";
import { count } from "../output/count.ts";
import type { Paint } from "../output/paint.ts";
import { printable } from "../output/printable.ts";
import { wrapText } from "../output/wrap-text.ts";
import { highlightWords } from "./highlight-words.ts";

interface PrintedDigest {
  readonly payload: DigestPayload;
  readonly document: CanonicalDocument;
  readonly source: string;
  readonly query: string | undefined;
  /** The commands that check it. */
  readonly next: readonly string[];
  readonly columns: number | undefined;
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 40;
/** Longer lines are hard to read, however wide the window is. */
const MAX_COLUMNS = 100;
const BAR_CELLS = 10;

/** A digest for people. */
export function printDigest(digest: PrintedDigest, paint: Paint): string {
  const { payload, query = "", next } = digest;
  const columns = Math.min(Math.max(digest.columns ?? DEFAULT_COLUMNS, MIN_COLUMNS), MAX_COLUMNS);
  const highlight = highlightWords(query, (word) => paint.bold(paint.yellow(word)));
  const indented = (text: string, indent: string): string =>
    wrapText(text, columns - indent.length)
      .map((line) => indent + (query === "" ? line : highlight(line)))
      .join("\n");
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[paint.bold(title), ...lines].join("\n")];
  const points = payload.key_points.map((point) => indented(point, "    ").replace(/^ {4}/, "  - "));
  const quotes = payload.evidence_snippets.map((snippet, index) =>
    [factsOf(snippet, index + 1, paint), indented(snippet.text, "     ")].join("\n"),
  );
  return [
    [...titleOf(digest, columns, paint), ...factsOfDocument(digest, columns, paint)].join("\n"),
    ...part("Summary", payload.summary === "" ? [] : [indented(payload.summary, "  ")]),
    ...part("Key points", points),
    ...part("Evidence", quotes.length === 0 ? ["  none"] : quotes),
    ...part(
      "Check every quote",
      next.map((command) => `  ${command}`),
    ),
  ].join("\n\n");
}

function titleOf({ document }: PrintedDigest, columns: number, paint: Paint): string[] {
  const { title = "" } = document;
  return title.trim() === "" ? [] : wrapText(title, columns).map((line) => paint.bold(line));
}

function factsOfDocument(
  { document, payload, source }: PrintedDigest,
  columns: number,
  paint: Paint,
): string[] {
  const { pages, type } = document;
  const { original_chars, digest_chars } = payload;
  const facts = [
    printable(source),
    type,
    ...(pages === undefined ? [] : [count(pages.length, "page")]),
    `${formatCount(original_chars)} characters, as a digest ${formatCount(digest_chars)} (${formatShare(digest_chars / original_chars)})`,
  ];
  return wrapText(facts.join(" · "), columns).map((line) => paint.dim(line));
}

function factsOf({ locator, relevance_score: score }: EvidenceSnippet, number: number, paint: Paint): string {
  const cells = Math.round(score * BAR_CELLS);
  const bar = paint.cyan("━".repeat(cells)) + paint.dim("─".repeat(BAR_CELLS - cells));
  return `${String(number).padStart(3)}  ${bar}  ${formatScore(score)}  ${paint.dim(printable(locator))}`;
}
