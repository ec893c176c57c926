import { type CachedDigest, cacheKey } from "./digest-cache.ts";
import { type DigestOptions, type DigestSource, checkDigestOptions } from "./digest-options.ts";
import { type DigestResult, type Skip, skipUnread, skipUnworthy } from "./digest-result.ts";
import { chooseSizes } from "./condense.ts";
import type { CanonicalDocument } from "./document.ts";
import { hashText } from "./canonical-text.ts";
import { type MadeDigest, isSmaller, makeDigest } from "./make-digest.ts";
import { loadSource } from "./load-source.ts";

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
  const { payload, spans } = digest;
  return { ...seen, payload, ...(spans === undefined ? {} : { spans }), ...rest };
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
  const key = await cacheKey({
    textHash,
    pages: document.pages?.map(({ start, end }) => [start, end]) ?? null,
    blocks: document.blocks?.map(({ start, end, kind }) => [start, end, kind]) ?? null,
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
