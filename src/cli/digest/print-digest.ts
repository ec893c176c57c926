import type { DigestPayload, EvidenceSnippet } from "../../core/contract/digest-payload.ts";
import type { CanonicalDocument } from "../../engine/digest/document.ts";
import { formatCount, formatScore, formatShare } from "../../core/report/page-text.ts";
import { WORD_RUN, foldText, isUnspaced, splitWords } from "../../core/text/words.ts";
import { count, printable } from "../output/format-values.ts";
import { wrapText } from "../output/lay-out-text.ts";
import type { Paint } from "../report.ts";

/** Shorter words are mostly "the" and "did"; words with a digit are not. */
const MIN_LETTERS = 4;
/** How much of the longer word two forms of one word must share at their beginning. */
const COMMON_SHARE = 0.7;

type Highlight = (line: string) => string;

/** Highlights the words of a query in a line of text, including other forms; for display only. */
export function highlightWords(query: string, paint: (word: string) => string): Highlight {
  const words = [...new Set(splitWords(query))];
  const telling = words.filter((word) => isUnspaced(word) || word.length >= MIN_LETTERS || /\d/.test(word));
  const wanted = telling.length > 0 ? telling : words;
  const pairs = wanted.filter((word) => isUnspaced(word));
  return (line) =>
    line.replaceAll(WORD_RUN, (run) => {
      if (isUnspaced(run)) return paintPairs(run, pairs, paint);
      const { folded } = foldText(run);
      return wanted.some((word) => isFormOf(folded, word)) ? paint(run) : run;
    });
}

function isFormOf(word: string, other: string): boolean {
  const longer = Math.max(word.length, other.length);
  let common = 0;
  while (common < longer && word[common] === other[common]) common++;
  return common === longer || (common >= MIN_LETTERS && common >= longer * COMMON_SHARE);
}

/** Scripts without spaces have no visible words, so the searched pairs of characters are highlighted. */
function paintPairs(run: string, pairs: readonly string[], paint: (word: string) => string): string {
  const isPainted: boolean[] = Array.from({ length: run.length }, () => false);
  for (const pair of pairs) {
    for (let at = run.indexOf(pair); at !== -1; at = run.indexOf(pair, at + 1)) {
      isPainted.fill(true, at, at + pair.length);
    }
  }
  let painted = "";
  for (let at = 0; at < run.length;) {
    let end = at + 1;
    while (end < run.length && (isPainted[end] ?? false) === (isPainted[at] ?? false)) end++;
    painted += isPainted[at] === true ? paint(run.slice(at, end)) : run.slice(at, end);
    at = end;
  }
  return painted;
}

interface PrintedDigest {
  readonly payload: DigestPayload;
  readonly document: CanonicalDocument;
  readonly source: string;
  readonly query: string | undefined;
  /** The commands that verify the digest. */
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
