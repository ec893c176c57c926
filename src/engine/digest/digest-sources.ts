import { ContractError } from "../../core/contract/contract-error.ts";
import { faults } from "../../core/contract/faults.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type Source, isDigest } from "../../core/contract/response-error.ts";
import { digestDocument } from "./digest-document.ts";
import { type DigestOptions, type SourceQuality, sourceQualities } from "./digest-options.ts";
import { type DigestResult, type Skip, alreadyDigested } from "./digest-result.ts";
import { serializePayload } from "./payload/serialize-payload.ts";

export interface DigestSourcesOptions extends Omit<DigestOptions, "contentType" | "name" | "quality"> {
  /** How far a source is trusted; better and longer sources are digested first. */
  readonly qualityOf?: (source: Source) => SourceQuality | undefined;
  /** How many sources are digested, the best first; the others stay unchanged. Default: all. */
  readonly maxSources?: number;
  /** How many are digested at a time. Default: 3. */
  readonly concurrency?: number;
  /** How long one source may take. Default: 120,000. */
  readonly timeoutMs?: number;
}

/** A source, digested if necessary: then its content is a payload, and its type says so. */
export interface DigestedSource {
  readonly source: Source;
  readonly isDigested: boolean;
  /** The digested text: `source_text_hash` names it, and the quotes are in it. */
  readonly text?: string;
  readonly skipped?: Skip | { readonly reason: "over_max_sources" | "empty"; readonly message: string };
  /** Why it could not be digested; the source is then unchanged. */
  readonly fault?: ToolFault;
  readonly warnings: readonly WarningDetail[];
  readonly cacheHit: boolean;
}

const DEFAULT_CONCURRENCY = 3;
const DEFAULT_TIMEOUT_MS = 120_000;
/** This length counts as much as one step of quality. */
const LONG_TEXT = 10_000;

function asIt(source: Source, rest: Partial<DigestedSource> = {}): DigestedSource {
  return { source, isDigested: false, warnings: [], cacheHit: false, ...rest };
}

/** The indexes of the sources, most useful to digest first; equal ones keep their order. */
function byWorth(
  sources: readonly Source[],
  qualityOf: DigestSourcesOptions["qualityOf"],
): readonly number[] {
  const worth = sources.map(
    (source) =>
      sourceQualities.indexOf(qualityOf?.(source) ?? "unknown") +
      Math.min(1, (source.content ?? "").length / LONG_TEXT),
  );
  return [...sources.keys()].sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
}

function toSource(source: Source, result: DigestResult, { compat }: DigestSourcesOptions): DigestedSource {
  const { payload, skipped, warnings, cacheHit, document } = result;
  if (payload === undefined) return asIt(source, { ...(skipped === undefined ? {} : { skipped }), warnings });
  const title = source.title ?? document?.title;
  const digested: Source = {
    ...source,
    ...(title === undefined ? {} : { title }),
    content_type: payload.content_type,
    content: serializePayload(payload, { compat }),
  };
  return {
    source: digested,
    isDigested: true,
    ...(document === undefined ? {} : { text: document.text }),
    warnings,
    cacheHit,
  };
}

async function digestOne(source: Source, options: DigestSourcesOptions): Promise<DigestedSource> {
  const {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    qualityOf,
    signal: outer,
    maxSources: _,
    concurrency: __,
    ...rest
  } = options;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const result = await digestDocument(source.content, {
      ...rest,
      contentType: source.content_type,
      quality: qualityOf?.(source),
      signal: outer === undefined ? late : AbortSignal.any([late, outer]),
    });
    return toSource(source, result, options);
  } catch (error) {
    if (outer?.aborted === true || ContractError.isInstance(error)) throw error;
    if (late.aborted) return asIt(source, { fault: faults.timeout(timeoutMs) });
    if (ToolFault.isInstance(error)) return asIt(source, { fault: error });
    throw error;
  }
}

/** For a caller without types. */
function noContent(): ToolFault {
  return new ToolFault("The source has no text as its content", { errorCode: "INVALID_FORMAT" });
}

/**
 * Digests many documents, in their order: each is digested if the policy says so. A document stays unchanged
 * if the policy excludes it, if it is empty or already a digest, or if it cannot be read. One failure does
 * not affect the others.
 */
export async function digestSources(
  sources: readonly Source[],
  options: DigestSourcesOptions = {},
): Promise<readonly DigestedSource[]> {
  const { concurrency = DEFAULT_CONCURRENCY, maxSources = Number.POSITIVE_INFINITY } = options;
  const results = sources.map((source): DigestedSource | undefined => {
    const skipped = { reason: "empty", message: "It has no content." } as const;
    if (isDigest(source)) return asIt(source, { skipped: alreadyDigested });
    if (typeof source.content !== "string") return asIt(source, { fault: noContent() });
    return source.content.trim() === "" ? asIt(source, { skipped }) : undefined;
  });
  const due = byWorth(sources, options.qualityOf).filter((index) => results[index] === undefined);
  const message = `Only the best ${maxSources} sources are digested.`;
  for (const index of due.slice(maxSources)) {
    const source = sources[index];
    if (source !== undefined)
      results[index] = asIt(source, { skipped: { reason: "over_max_sources", message } });
  }
  const queue = due.slice(0, maxSources).values();
  const work = async (): Promise<void> => {
    for (const index of queue) {
      const source = sources[index];
      if (source !== undefined) results[index] = await digestOne(source, options);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return results.filter((result) => result !== undefined);
}
