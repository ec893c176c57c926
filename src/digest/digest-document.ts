import type { WarningDetail } from "../contract/warning.ts";
import { type CachedDigest, cacheKey } from "./digest-cache.ts";
import { type DigestOptions, type DigestSource, checkDigestOptions } from "./digest-options.ts";
import type { DigestResult, Skip } from "./digest-result.ts";
import { type DigestSizes, chooseSizes } from "./digest-sizes.ts";
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
  const finish = (rest: Partial<DigestResult>): DigestResult => ({
    warnings: [],
    cacheHit: false,
    ...rest,
    durationMs: Math.round((performance.now() - started) * 1000) / 1000,
  });
  const unread = skipUnread(options);
  if (unread !== undefined) return finish({ skipped: unread });
  const { document, url } = await openSource(source, options);
  const seen = { document, ...(url === undefined ? {} : { url }) };
  const skipped = skipUnworthy(document.text, options);
  if (skipped !== undefined) return finish({ ...seen, skipped, warnings: document.warnings });
  const { digest, cacheHit } = await findOrMake(document, options);
  const warnings = [...document.warnings, ...digest.warnings];
  const { payload, spans } = digest;
  const tooLong = skipLonger(digest);
  if (tooLong !== undefined) return finish({ ...seen, skipped: tooLong, warnings, cacheHit });
  return finish({ ...seen, payload, ...(spans === undefined ? {} : { spans }), warnings, cacheHit });
}

function skipLonger({ payload: { digest_chars, original_chars } }: CachedDigest): Skip | undefined {
  if (digest_chars < original_chars) return undefined;
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
  if (cache === undefined)
    return { digest: (await makeDigest(document, textHash, sizes, options)).digest, cacheHit: false };
  const key = await cacheKey({
    textHash,
    pages: document.pages?.map(({ start, end }) => [start, end]) ?? null,
    query: query ?? null,
    sizes: { ...sizes },
    minScore: minScore ?? null,
    compat: compat ?? null,
    summariser: summariser?.name ?? null,
  });
  const found = await cache.get(key);
  if (found !== undefined) return { digest: found, cacheHit: true };
  const { digest, isLasting } = await makeDigest(document, textHash, sizes, options);
  if (isLasting) await cache.set(key, digest);
  return { digest, cacheHit: false };
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

/** Not lasting: a fallback's digest, which the next call may better. */
async function makeDigest(
  document: CanonicalDocument,
  textHash: string,
  sizes: DigestSizes,
  { query, compat, minScore, summariser, signal, onProgress }: DigestOptions,
): Promise<{ readonly digest: CachedDigest; readonly isLasting: boolean }> {
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
