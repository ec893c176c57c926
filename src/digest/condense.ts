import type { WarningDetail } from "../contract/warning.ts";
import type { DigestSizes } from "./digest-sizes.ts";
import type { OnProgress, ScoredSpan, Span } from "./document.ts";
import type { Selection } from "./evidence/select-passages.ts";
import { guardOf } from "./summariser/guard-summariser.ts";
import { summariseOrFallBack } from "./summariser/summarise-or-fall-back.ts";
import type { Summariser } from "./summariser/summariser.ts";

export interface CondenseOptions {
  readonly sizes: DigestSizes;
  readonly query?: string | undefined;
  readonly summariser?: Summariser | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Condensed {
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
    // Whoever forgot to guard it must not wait for ever.
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
