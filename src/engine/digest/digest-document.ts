import {
  type CachedDigest,
  type DigestResult,
  type OutlineSection,
  type Skip,
  digestCacheKey,
  skipUnread,
  skipUnworthy,
} from "./digest-result.ts";
import {
  type DigestOptions,
  type DigestSource,
  checkDigestOptions,
  type FetchSource,
} from "./digest-options.ts";
import type { CanonicalDocument, OnProgress, ScoredSpan, TextSpan } from "./document.ts";
import { hashText, hashQuery } from "./canonical-text.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { readDocument } from "./sources/read-document.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import type { OutlinePart } from "./evidence/pick-outline.ts";
import { type PassageSelection, selectPassages } from "./evidence/select-passages.ts";
import { buildPayload, locatorsOf } from "./payload/serialize-payload.ts";
import { digestLimits } from "../../core/contract/choices.ts";
import { type Summariser, guardOf, summariseOrFallBack } from "./summariser/summariser.ts";

/**
 * Makes a short, checkable digest of a document: a summary, key points, and quotes that are in its canonical
 * text exactly at their locators. Uses no model unless a summariser is given. Throws a ToolFault for a
 * document that cannot be read.
 */
export async function digestDocument(
  source: DigestSource,
  options: DigestOptions = {},
): Promise<DigestResult> {
  checkDigestOptions(options);
  const started = performance.now();
  const durationMs = (): number => Math.round((performance.now() - started) * 1000) / 1000;
  const unread = skipUnread(options);
  if (unread !== undefined)
    return { skipped: unread, warnings: [], cacheHit: false, durationMs: durationMs() };
  const { document, url } = await loadSource(source, options);
  const seen = { document, ...(url === undefined ? {} : { url }) };
  const skipped = skipUnworthy(document.text, options);
  if (skipped !== undefined) {
    return { ...seen, skipped, warnings: document.warnings, cacheHit: false, durationMs: durationMs() };
  }
  const { digest, cacheHit } = await findOrMake(document, options);
  const rest = { warnings: [...document.warnings, ...digest.warnings], cacheHit, durationMs: durationMs() };
  const tooLong = skipLonger(digest);
  if (tooLong !== undefined) return { ...seen, skipped: tooLong, ...rest };
  const { payload, spans, outline } = digest;
  return {
    ...seen,
    payload,
    ...(spans === undefined ? {} : { spans }),
    ...(outline === undefined ? {} : { outline }),
    ...rest,
  };
}

function skipLonger(digest: CachedDigest): Skip | undefined {
  if (isSmaller(digest)) return undefined;
  const { digest_chars, original_chars } = digest.payload;
  const message = `A digest would take ${digest_chars} characters, the document takes ${original_chars}.`;
  return { reason: "not_smaller", message };
}

async function findOrMake(
  document: CanonicalDocument,
  options: DigestOptions,
): Promise<{ readonly digest: CachedDigest; readonly cacheHit: boolean }> {
  const { cache, query, compat, minScore, summariser } = options;
  const textHash = await hashText(document.text);
  const sizes = chooseSizes(options, document.text.length);
  const make = (): Promise<MadeDigest> => makeDigest(document, textHash, sizes, options);
  if (cache === undefined) return { digest: (await make()).digest, cacheHit: false };
  const key = await digestCacheKey({
    textHash,
    pages: document.pages?.map(({ start, end }) => [start, end]) ?? null,
    blocks: document.blocks?.map(({ start, end, kind, level = 0 }) => [start, end, kind, level]) ?? null,
    query: query ?? null,
    sizes: { ...sizes },
    minScore: minScore ?? null,
    compat: compat ?? null,
    summariser: summariser?.name ?? null,
  });
  const found = await unlessFailing(() => cache.get(key));
  if (found !== undefined) return { digest: found, cacheHit: true };
  const { digest, isLasting } = await make();
  if (isLasting) await unlessFailing(() => cache.set(key, digest));
  return { digest, cacheHit: false };
}

/** If the cache fails, only time is lost, not the digest. */
async function unlessFailing<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Loaded for the first URL: it needs Node, and most documents are passed directly. */
async function safeFetcher(maxBytes: number | undefined): Promise<FetchSource> {
  const { createFetcher } = await import("./fetching/create-fetcher.ts");
  return createFetcher(maxBytes === undefined ? {} : { maxBytes });
}

/** A text or bytes; undefined for a URL. Anything else is the caller's mistake. */
function atHand(source: DigestSource): string | Uint8Array | undefined {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof source === "object" && source !== null && typeof source.url === "string") return undefined;
  const kind = source === null ? "null" : typeof source;
  throw new ContractError(
    "INVALID_OPTION",
    `The source is ${kind === "object" ? "an object without a url" : kind}: give a text, bytes, or { url }.`,
  );
}

/** The canonical text of a source of any kind. */
async function loadSource(
  source: DigestSource,
  options: DigestOptions,
): Promise<{ readonly document: CanonicalDocument; readonly url?: string }> {
  const { contentType, name, signal, onProgress, maxBytes, maxPages, compat, readTimeoutMs, isolate } =
    options;
  const common = {
    readTimeoutMs,
    isolate,
    signal,
    maxBytes,
    maxPages,
    compat,
    name,
    onProgress:
      onProgress && ((done: number, total: number): void => onProgress({ stage: "read", done, total })),
  };
  const given = atHand(source);
  if (given !== undefined) {
    const document = await readDocument(given, { ...common, contentType });
    return { document };
  }
  const { url } = source as { readonly url: string };
  const fetch = options.fetch ?? (await safeFetcher(maxBytes));
  const fetched = await fetch(url, {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: (done, total) => onProgress({ stage: "fetch", done, total: total ?? done }) }),
  });
  const document = await readDocument(fetched.bytes, {
    ...common,
    contentType: contentType ?? fetched.contentType,
    name: name ?? new URL(fetched.url).pathname.split("/").at(-1),
  });
  return { document, url: fetched.url };
}

interface MadeDigest {
  readonly digest: CachedDigest;
  /** False for a digest made by the fallback: the next call may make a better one. */
  readonly isLasting: boolean;
}

const MAX_TRIES = 4;

/** Whether a digest is shorter than its document and has content. */
function isSmaller({ payload: { digest_chars, original_chars } }: CachedDigest): boolean {
  return digest_chars < original_chars;
}

/** Sizes are limits: for a short document they are reduced until the digest is shorter than the document. */
async function makeDigest(
  document: CanonicalDocument,
  textHash: string,
  sizes: DigestSizes,
  options: DigestOptions,
): Promise<MadeDigest> {
  let made = await makeOnce(document, textHash, sizes, options);
  // A summariser is not called again for a text that is too short for it.
  for (let tries = 1; tries < MAX_TRIES && !isSmaller(made.digest); tries++) {
    if (options.summariser !== undefined) break;
    made = await makeOnce(document, textHash, shrinkSizes(sizes, 2 ** -tries), options);
  }
  return made;
}

/** Warns if the query had no influence, or has no answer in the document. */
function warnOfRanking(
  query: string | undefined,
  { ranking, evidence, isAnswered }: PassageSelection,
): WarningDetail[] {
  if (query === undefined || query.trim() === "" || isAnswered) return [];
  const message =
    ranking !== "query"
      ? "The query has no words that tell one passage from another, so the digest says what the document is about"
      : evidence.length === 0
        ? "Nothing in the document answers the query, so there is no evidence"
        : "The document does not seem to answer the query: the evidence is what comes nearest to it";
  return [{ code: "QUERY_NOT_FOUND", severity: "warning", message, context: { ranking } }];
}

async function makeOnce(
  document: CanonicalDocument,
  textHash: string,
  sizes: DigestSizes,
  { query, compat, minScore, summariser, signal, onProgress }: DigestOptions,
): Promise<MadeDigest> {
  const { text, pages, blocks } = document;
  const selection = await selectPassages(text, {
    ...sizes,
    query,
    pages,
    blocks,
    minScore,
    signal,
    onProgress: onProgress && ((done, total) => onProgress({ stage: "select", done, total })),
  });
  const { summary, keyPoints, isWritten, warnings } = await condense(text, selection, {
    sizes,
    query,
    summariser,
    signal,
    onProgress,
  });
  const payload = buildPayload({
    document,
    queryHash: await hashQuery(query),
    textHash,
    summary,
    keyPoints,
    evidence: selection.evidence,
    compat,
  });
  const spans = {
    summary: locatorsOf(document, selection.summary),
    key_points: locatorsOf(document, selection.keyPoints),
  };
  const digest = {
    payload,
    ...(isWritten ? {} : { spans }),
    ...(selection.outline.length === 0 ? {} : { outline: outlineOf(document, selection.outline) }),
    warnings: [...warnOfRanking(query, selection), ...warnings],
  };
  return { digest, isLasting: warnings.length === 0 };
}

function outlineOf(document: CanonicalDocument, parts: readonly OutlinePart[]): readonly OutlineSection[] {
  const quote = ({ start, end }: TextSpan): string => document.text.slice(start, end);
  const headings = locatorsOf(
    document,
    parts.map(({ heading }) => heading),
  );
  const points = locatorsOf(
    document,
    parts.map(({ heading, point }) => point ?? heading),
  );
  return parts.map(({ heading, point }, index) => ({
    heading: quote(heading),
    locator: headings[index] ?? "",
    ...(point === undefined ? {} : { point: quote(point), point_locator: points[index] ?? "" }),
  }));
}

/** The size limits of the parts of a digest. */
interface DigestSizes {
  readonly maxSnippets: number;
  readonly snippetChars: number;
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly keyPointChars: number;
}

const whole = { snippets: 5, summary: 1_000, keyPoints: 5, keyPoint: 250 } as const;
/** From this length on a digest has its full size, which is at most about two fifths of its document. */
const FULL_LENGTH = 12_000;
const MIN_CHARS = 100;

/** The requested sizes; by default in proportion to the document, so that a short document gets a shorter digest. */
function chooseSizes(options: DigestOptions, textLength: number): DigestSizes {
  const share = Math.min(1, textLength / FULL_LENGTH);
  // By the square root: for a short document, a few short quotes are better than one long one.
  const chars = (full: number): number => Math.max(MIN_CHARS, Math.round(full * Math.sqrt(share)));
  const count = (full: number): number => Math.max(1, Math.round(full * Math.sqrt(share)));
  return {
    maxSnippets: options.maxSnippets ?? count(whole.snippets),
    snippetChars: options.snippetChars ?? chars(digestLimits.snippet),
    maxSummaryChars: options.summaryChars ?? Math.max(MIN_CHARS, Math.round(whole.summary * share)),
    maxKeyPoints: options.maxKeyPoints ?? count(whole.keyPoints),
    keyPointChars: chars(whole.keyPoint),
  };
}

/** Reduces every size; key points are dropped first, and one quote always stays. */
function shrinkSizes(sizes: DigestSizes, share: number): DigestSizes {
  return {
    maxSnippets: sizes.maxSnippets === 0 ? 0 : Math.max(1, Math.floor(sizes.maxSnippets * share)),
    snippetChars: Math.max(Math.min(MIN_CHARS, sizes.snippetChars), Math.floor(sizes.snippetChars * share)),
    maxSummaryChars: Math.floor(sizes.maxSummaryChars * share),
    maxKeyPoints: Math.floor(sizes.maxKeyPoints * share),
    keyPointChars: sizes.keyPointChars,
  };
}

interface CondenseOptions {
  readonly sizes: DigestSizes;
  readonly query?: string | undefined;
  readonly summariser?: Summariser | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

interface Condensed {
  readonly summary: string;
  readonly keyPoints: readonly string[];
  /** Written in a summariser's own words, so not quotes. */
  readonly isWritten: boolean;
  readonly warnings: readonly WarningDetail[];
}

/** Evidence for the answer comes first, then what is most central to the document. */
function passagesOf({ evidence, summary, keyPoints }: PassageSelection): readonly ScoredSpan[] {
  const others = [...summary, ...keyPoints].map((span) => ({ ...span, score: 0 }));
  return [...evidence, ...others];
}

/** Summary and key points: sentences of the document, or a summariser's words if there is one and it answers. */
async function condense(
  text: string,
  selection: PassageSelection,
  options: CondenseOptions,
): Promise<Condensed> {
  const quote = ({ start, end }: TextSpan): string => text.slice(start, end);
  const extractive = {
    summary: selection.summary.map(quote).join(" "),
    keyPoints: selection.keyPoints.map(quote),
  };
  const { summariser, sizes, query, signal, onProgress } = options;
  if (summariser === undefined) return { ...extractive, isWritten: false, warnings: [] };
  onProgress?.({ stage: "summarise", done: 0, total: 1 });
  const { usedSummariser, summary, keyPoints, warnings } = await summariseOrFallBack({
    // A summariser without a guard of its own must not block for ever.
    summariser: guardOf(summariser),
    text,
    spans: passagesOf(selection),
    query,
    extractive,
    maxSummaryChars: sizes.maxSummaryChars,
    maxKeyPoints: sizes.maxKeyPoints,
    maxKeyPointChars: sizes.keyPointChars,
    signal,
  });
  onProgress?.({ stage: "summarise", done: 1, total: 1 });
  return { summary, keyPoints, isWritten: usedSummariser, warnings };
}
