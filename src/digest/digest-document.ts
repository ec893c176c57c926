import type { WarningDetail } from "../contract/warning.ts";
import { type CachedDigest, cacheKey } from "./digest-cache.ts";
import { checkDigestOptions } from "./check-digest-options.ts";
import type { DigestOptions, DigestSource } from "./digest-options.ts";
import type { DigestResult, Skip } from "./digest-result.ts";
import { type DigestSizes, chooseSizes, shrinkSizes } from "./digest-sizes.ts";
import type { CanonicalDocument } from "./document.ts";
import { skipUnread, skipUnworthy } from "./eligibility.ts";
import { type Selection, selectPassages } from "./evidence/select-passages.ts";
import { hashQuery, hashText } from "./hash-text.ts";
import { openSource } from "./open-source.ts";
import { buildPayload, locatorsOf } from "./payload/build-payload.ts";
import { condense } from "./condense.ts";

/**
 * A document, short and checkable: a summary, key points, and quotes that stand in its canonical text exactly where
 * their locators say. Without a model unless a summariser is given. What cannot be read is a ToolFault.
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
  const { document, url } = await openSource(source, options);
  const seen = { document, ...(url === undefined ? {} : { url }) };
  const skipped = skipUnworthy(document.text, options);
  if (skipped !== undefined) {
    return { ...seen, skipped, warnings: document.warnings, cacheHit: false, durationMs: durationMs() };
  }
  const { digest, cacheHit } = await findOrMake(document, options);
  const rest = { warnings: [...document.warnings, ...digest.warnings], cacheHit, durationMs: durationMs() };
  const tooLong = skipLonger(digest);
  if (tooLong !== undefined) return { ...seen, skipped: tooLong, ...rest };
  const { payload, spans } = digest;
  return { ...seen, payload, ...(spans === undefined ? {} : { spans }), ...rest };
}

function isSmaller({ payload: { digest_chars, original_chars } }: CachedDigest): boolean {
  return digest_chars < original_chars;
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
  const make = (): Promise<MadeDigest> => makeSmaller(document, textHash, sizes, options);
  if (cache === undefined) return { digest: (await make()).digest, cacheHit: false };
  const key = await cacheKey({
    textHash,
    pages: document.pages?.map(({ start, end }) => [start, end]) ?? null,
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

/** A cache that is away costs time, not the digest. */
async function unlessFailing<T>(ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

interface MadeDigest {
  readonly digest: CachedDigest;
  /** False for a fallback's digest, which the next call may better. */
  readonly isLasting: boolean;
}

const MAX_TRIES = 4;

/** Sizes are limits, not wishes: of a short document there is less, until it is shorter than the document. */
async function makeSmaller(
  document: CanonicalDocument,
  textHash: string,
  sizes: DigestSizes,
  options: DigestOptions,
): Promise<MadeDigest> {
  let made = await makeDigest(document, textHash, sizes, options);
  // A summariser is not asked again for a text that is hardly worth it.
  for (let tries = 1; tries < MAX_TRIES && !isSmaller(made.digest); tries++) {
    if (options.summariser !== undefined) break;
    made = await makeDigest(document, textHash, shrinkSizes(sizes, 2 ** -tries), options);
  }
  return made;
}

/** A query that decided nothing must not look as if it had. */
function warnOfRanking(
  query: string | undefined,
  { ranking, evidence }: Selection,
  { maxSnippets }: DigestSizes,
): WarningDetail[] {
  if (query === undefined || query.trim() === "") return [];
  if (ranking === "query" && (evidence.length > 0 || maxSnippets === 0)) return [];
  const message =
    ranking === "query"
      ? "Nothing in the document answers the query, so there is no evidence"
      : "The query has no words that tell one passage from another, so the digest says what the document is about";
  return [{ code: "QUERY_NOT_FOUND", severity: "warning", message, context: { ranking } }];
}

async function makeDigest(
  document: CanonicalDocument,
  textHash: string,
  sizes: DigestSizes,
  { query, compat, minScore, summariser, signal, onProgress }: DigestOptions,
): Promise<MadeDigest> {
  const { text, pages } = document;
  const selection = await selectPassages(text, {
    ...sizes,
    ...(query === undefined ? {} : { query }),
    ...(pages === undefined ? {} : { pages }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: (done, total) => onProgress({ stage: "select", done, total }) }),
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
    ...(compat === undefined ? {} : { compat }),
  });
  const spans = {
    summary: locatorsOf(document, selection.summary),
    key_points: locatorsOf(document, selection.keyPoints),
  };
  const digest = {
    payload,
    ...(isWritten ? {} : { spans }),
    warnings: [...warnOfRanking(query, selection, sizes), ...warnings],
  };
  return { digest, isLasting: warnings.length === 0 };
}
