import type { WarningDetail } from "../../core/contract/warning.ts";
import { type DigestSizes, condense, shrinkSizes } from "./condense.ts";
import type { CachedDigest } from "./digest-cache.ts";
import type { DigestOptions } from "./digest-options.ts";
import type { CanonicalDocument } from "./document.ts";
import { type Selection, selectPassages } from "./evidence/select-passages.ts";
import { hashQuery } from "./canonical-text.ts";
import { buildPayload, locatorsOf } from "./payload/build-payload.ts";

export interface MadeDigest {
  readonly digest: CachedDigest;
  /** False for a digest made by the fallback: the next call may make a better one. */
  readonly isLasting: boolean;
}

const MAX_TRIES = 4;

/** Whether a digest is shorter than its document and has content. */
export function isSmaller({ payload: { digest_chars, original_chars } }: CachedDigest): boolean {
  return digest_chars < original_chars;
}

/** Sizes are limits: for a short document they are lowered until the digest is shorter than the document. */
export async function makeDigest(
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

/** A query that had no influence, or no answer, must not look as if it had. */
function warnOfRanking(
  query: string | undefined,
  { ranking, evidence, isAnswered }: Selection,
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
    warnings: [...warnOfRanking(query, selection), ...warnings],
  };
  return { digest, isLasting: warnings.length === 0 };
}
