import type { DigestPayload, EvidenceSnippet } from "../../core/contract/digest-payload.ts";
import { digestDocument } from "../../engine/digest/digest-document.ts";
import type { DigestOptions } from "../../engine/digest/digest-options.ts";
import type { DigestResult, OutlineSection, Skip, SkipReason } from "../../engine/digest/digest-result.ts";
import type { CanonicalDocument } from "../../engine/digest/document.ts";
import { serializePayload } from "../../engine/digest/payload/serialize-payload.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { CliError, exitCodes, type CliIo } from "../cli-io.ts";
import type { DigestPolicy } from "../../core/contract/choices.ts";
import {
  type DocumentSource,
  type SourceOptions,
  createProgress,
  explainFault,
  loadDocument,
} from "../digest/load-document.ts";
import { formatBytes, printable, shellWord, countOf, wrapText } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";
import { formatCount, formatScore, formatShare } from "../../core/report/page-text.ts";
import { WORD_RUN, foldText, isUnspaced, splitWords } from "../../core/text/bm25.ts";

export interface DigestCommandOptions extends SourceOptions, SummariserOptions {
  readonly query?: string | undefined;
  readonly policy: DigestPolicy;
  readonly snippets?: number | undefined;
  readonly summaryChars?: number | undefined;
  readonly keyPoints?: number | undefined;
  readonly compat?: "foundry" | undefined;
  readonly payload?: boolean | undefined;
  readonly html?: string | undefined;
  readonly json?: boolean | undefined;
}

type Made = DigestResult & { readonly payload: DigestPayload; readonly document: CanonicalDocument };

/** Digests one document: a file, a URL, or stdin. */
export async function digest(
  given: string,
  options: DigestCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  // Wrong options must be reported before a download.
  const summariser = await chooseSummariser(options, io);
  await refuseOptions(given, options, io);
  const progress = options.json === true ? undefined : createProgress(io);
  try {
    const source = await loadDocument(given, options, io, (done, total = 0) =>
      progress?.report({ stage: "fetch", done, total }),
    );
    const result = await run(source, {
      ...engineOptions(source, options),
      ...summariser,
      onProgress: progress?.report,
    });
    return await toReport(result, source, given, options, io);
  } finally {
    progress?.end();
  }
}

async function refuseOptions(given: string, options: DigestCommandOptions, io: CliIo): Promise<void> {
  const { html, payload, json } = options;
  if (payload === true && json === true) {
    throw new CliError("--payload and --json print the digest in two forms: give one of them.", {
      remediation: "With --json the payload is data.digest.",
    });
  }
  if (html === "-") throw new CliError("--html needs a file: give its name.");
  if (html === undefined) return;
  const { refuseOwnSource } = await import("../input/read-input.ts");
  await refuseOwnSource("--html", html, given, io);
}

async function run(source: DocumentSource, options: DigestOptions): Promise<Made> {
  const result = await digestDocument(source.bytes, options).catch((error: unknown) => {
    throw explainFault(
      error,
      source.name,
      `digest ${source.name === "stdin" ? "-" : shellWord(source.name)}`,
    );
  });
  const { payload, document, skipped } = result;
  if (payload === undefined || document === undefined) throw refuse(source, skipped);
  return { ...result, payload, document, ...(source.url === undefined ? {} : { url: source.url }) };
}

function engineOptions(
  { contentType, fileName }: DocumentSource,
  options: DigestCommandOptions,
): DigestOptions {
  const { query, policy, snippets, summaryChars, keyPoints, compat, maxBytes, maxPages } = options;
  return {
    policy,
    contentType,
    name: fileName,
    query,
    maxSnippets: snippets,
    summaryChars,
    maxKeyPoints: keyPoints,
    compat,
    maxBytes,
    maxPages,
  };
}

const skipAdvice: Readonly<Record<SkipReason, string>> = {
  policy_off: "Leave --policy out.",
  already_digested: "Check it with `waybill verify`, or name the document it was made of.",
  too_short: "Use the document itself, or --policy always.",
  low_quality: "Use --policy always.",
  not_smaller: "Use the document itself.",
};

/** A script that asked for a digest must not mistake an empty output for one. */
function refuse({ name }: DocumentSource, skipped: Skip | undefined): CliError {
  const { reason = "not_smaller", message = "" } = skipped ?? {};
  return new CliError(`${printable(name)} has no digest. ${printable(message)}`, {
    exitCode: exitCodes.violated,
    // Another attempt would fail in the same way.
    errorCode: "VALIDATION_ERROR",
    remediation: skipAdvice[reason],
    details: { source: name, reason },
  });
}

async function toReport(
  result: Made,
  source: DocumentSource,
  given: string,
  options: DigestCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  const { payload, document, spans, outline, warnings, url } = result;
  const { query, compat, html } = options;
  const { type, title, pages } = document;
  const about = {
    source: source.name,
    type,
    title: title ?? null,
    pages: pages?.length ?? null,
    url: url ?? null,
  };
  const written = html === undefined ? [] : [await writePage(html, result, { query, name: source.name }, io)];
  const line = serializePayload(payload, { compat });
  const next = nextCommands(given, options);
  const printed = { payload, outline, document, source: source.name, query, next, columns: io.columns };
  return {
    exitCode: exitCodes.fine,
    data: {
      ...about,
      ...(html === undefined ? {} : { html }),
      digest: payload,
      spans: spans ?? null,
      outline: outline ?? null,
    } as unknown as JsonObject,
    warnings,
    // A terminal gets safe text, which is equal JSON; a pipe or a file gets the exact bytes.
    text: (paint) => (options.payload === true ? printable(line) : printDigest(printed, paint)),
    raw: options.payload === true && !io.isTTY.stdout ? Buffer.from(`${line}\n`) : undefined,
    remarks: [...warnings.map(({ message }) => `waybill: ${printable(message)}`), ...written],
  };
}

async function writePage(
  file: string,
  result: Made,
  { query, name }: { readonly query: string | undefined; readonly name: string },
  io: CliIo,
): Promise<string> {
  const [{ digestPage }, { writeOutput }] = await Promise.all([
    import("../../engine/digest/page/digest-page.ts"),
    import("../input/read-input.ts"),
  ]);
  const bytes = Buffer.from(digestPage(result, { name, query }));
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}

/** With every option that affects how the document is read. A document from stdin is gone, so its name is left open. */
function nextCommands(given: string, options: DigestCommandOptions): readonly string[] {
  const { query, compat, type, maxBytes, maxPages, allowPrivate = [] } = options;
  const flag = (name: string, value: string | number | undefined): string =>
    value === undefined ? "" : ` ${name} ${shellWord(String(value))}`;
  const places = allowPrivate.map((place) => flag("--allow-private", place)).join("");
  const reading =
    flag("--type", type) + flag("--max-bytes", maxBytes) + flag("--max-pages", maxPages) + places;
  const source = given === "-" ? "<source>" : shellWord(given);
  const asked = flag("--query", query) + flag("--compat", compat);
  return [
    `waybill digest ${source}${asked}${reading} --payload > digest.json`,
    `waybill verify digest.json ${source}${reading}`,
  ];
}

interface SummariserOptions {
  readonly summariserUrl?: string | undefined;
  readonly summariserModel?: string | undefined;
}

/** The named summariser, if any. Its key comes from the environment: other users can see a command line. */
async function chooseSummariser(
  { summariserUrl, summariserModel }: SummariserOptions,
  { env }: CliIo,
): Promise<Pick<DigestOptions, "summariser">> {
  if (summariserUrl === undefined && summariserModel === undefined) return {};
  if (summariserUrl === undefined || summariserModel === undefined) {
    throw new CliError("--summariser-url and --summariser-model go together.", {
      remediation: "Give both, or neither.",
    });
  }
  const { openAiSummariser } = await import("../../engine/digest/summariser/open-ai-summariser.ts");
  const { WAYBILL_SUMMARISER_KEY: apiKey = "" } = env;
  try {
    const access = { baseUrl: summariserUrl, model: summariserModel, ...(apiKey === "" ? {} : { apiKey }) };
    return { summariser: openAiSummariser(access) };
  } catch (error) {
    throw explainFault(error, summariserUrl);
  }
}

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
  readonly outline: readonly OutlineSection[] | undefined;
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
function printDigest(digest: PrintedDigest, paint: Paint): string {
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
    ...part("Outline", outlineOf(digest, indented, paint)),
    ...part("Evidence", quotes.length === 0 ? ["  none"] : quotes),
    ...part(
      "Check every quote",
      next.map((command) => `  ${command}`),
    ),
  ].join("\n\n");
}

/** More sections than this are counted, not printed; `--json` has them. */
const MAX_SECTIONS = 30;

function outlineOf(
  { outline = [] }: PrintedDigest,
  indented: (text: string, indent: string) => string,
  paint: Paint,
): string[] {
  const lines = outline
    .slice(0, MAX_SECTIONS)
    .flatMap(({ heading, point }) => [
      paint.bold(indented(heading, "  ")),
      ...(point === undefined ? [] : [indented(point, "    ")]),
    ]);
  const more = outline.length - MAX_SECTIONS;
  return more > 0 ? [...lines, paint.dim(`  and ${countOf(more, "more section")}`)] : lines;
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
    ...(pages === undefined ? [] : [countOf(pages.length, "page")]),
    `${formatCount(original_chars)} characters, as a digest ${formatCount(digest_chars)} (${formatShare(digest_chars / original_chars)})`,
  ];
  return wrapText(facts.join(" · "), columns).map((line) => paint.dim(line));
}

function factsOf({ locator, relevance_score: score }: EvidenceSnippet, number: number, paint: Paint): string {
  const cells = Math.round(score * BAR_CELLS);
  const bar = paint.cyan("━".repeat(cells)) + paint.dim("─".repeat(BAR_CELLS - cells));
  return `${String(number).padStart(3)}  ${bar}  ${formatScore(score)}  ${paint.dim(printable(locator))}`;
}
