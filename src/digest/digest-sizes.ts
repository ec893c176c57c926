import { digestLimits } from "../contract/digest-payload.ts";
import type { DigestOptions } from "./digest-options.ts";

/** How much of everything a digest may hold. */
export interface DigestSizes {
  readonly maxSnippets: number;
  readonly snippetChars: number;
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly keyPointChars: number;
}

const whole = { snippets: 5, summary: 1_000, keyPoints: 5, keyPoint: 250 } as const;
/** From this length on a digest has its full size, and is at most about two fifths of its document. */
const FULL_LENGTH = 12_000;
const MIN_CHARS = 100;

/** What was asked for; where nothing was, in proportion to the document, so that a short one gets a shorter digest. */
export function chooseSizes(options: DigestOptions, textLength: number): DigestSizes {
  const share = Math.min(1, textLength / FULL_LENGTH);
  // By the root: a few short quotes of a short document serve better than one long one.
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

/** A share of every size; the first to go are key points, the last is one quote. */
export function shrinkSizes(sizes: DigestSizes, share: number): DigestSizes {
  return {
    maxSnippets: sizes.maxSnippets === 0 ? 0 : Math.max(1, Math.floor(sizes.maxSnippets * share)),
    snippetChars: Math.max(Math.min(MIN_CHARS, sizes.snippetChars), Math.floor(sizes.snippetChars * share)),
    maxSummaryChars: Math.floor(sizes.maxSummaryChars * share),
    maxKeyPoints: Math.floor(sizes.maxKeyPoints * share),
    keyPointChars: sizes.keyPointChars,
  };
}
