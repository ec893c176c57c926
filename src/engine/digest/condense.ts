import { digestLimits } from "../../core/contract/digest-payload.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import type { DigestOptions } from "./digest-options.ts";
import type { OnProgress, ScoredSpan, Span } from "./document.ts";
import type { Selection } from "./evidence/select-passages.ts";
import { guardOf } from "./summariser/guard-summariser.ts";
import { summariseOrFallBack } from "./summariser/summarise-or-fall-back.ts";
import type { Summariser } from "./summariser/summariser.ts";

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
  /** In a summariser's own words, so no longer quotes. */
  readonly isWritten: boolean;
  readonly warnings: readonly WarningDetail[];
}

/** What was chosen as an answer goes first, then what says most of the document. */
function passagesOf({ evidence, summary, keyPoints }: Selection): readonly ScoredSpan[] {
  const others = [...summary, ...keyPoints].map((span) => ({ ...span, score: 0 }));
  return [...evidence, ...others];
}

/** Summary and key points: sentences of the document, or a summariser's words where there is one and it answers. */
export async function condense(
  text: string,
  selection: Selection,
  options: CondenseOptions,
): Promise<Condensed> {
  const quote = ({ start, end }: Span): string => text.slice(start, end);
  const extractive = {
    summary: selection.summary.map(quote).join(" "),
    keyPoints: selection.keyPoints.map(quote),
  };
  const { summariser, sizes, query, signal, onProgress } = options;
  if (summariser === undefined) return { ...extractive, isWritten: false, warnings: [] };
  onProgress?.({ stage: "summarise", done: 0, total: 1 });
  const { usedSummariser, summary, keyPoints, warnings } = await summariseOrFallBack({
    // A summariser that nobody guarded must not block for ever.
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
