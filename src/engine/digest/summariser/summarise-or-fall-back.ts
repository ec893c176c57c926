import { ContractError } from "../../../core/contract/contract-error.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { ScoredSpan } from "../document.ts";
import {
  DEFAULT_MAX_INPUT_CHARS,
  type Summariser,
  SummariserError,
  type SummariserFailure,
  type Summary,
} from "./summariser.ts";
import { type SummaryLimits, summaryInput, tidySummary } from "./summary-text.ts";

export interface SummariseOptions extends SummaryLimits {
  readonly summariser: Summariser;
  /** The document's canonical text, of any length. */
  readonly text: string;
  /** The most important passages: of a long text the summariser sees these and the beginning. */
  readonly spans: readonly ScoredSpan[];
  readonly query?: string | undefined;
  /** Used if the summariser gives nothing. */
  readonly extractive: Summary;
  readonly signal?: AbortSignal | undefined;
}

export interface SummariseResult extends Summary {
  /** False for the extractive summary, which must not be cached under the summariser's name. */
  readonly usedSummariser: boolean;
  readonly warnings: readonly WarningDetail[];
}

const says: Readonly<Record<SummariserFailure, string>> = {
  timeout: "did not answer in time",
  circuit_open: "is paused after repeated failures",
  failed: "is not available",
  invalid_answer: "gave no usable answer",
};

function fallbackWarning(summariser: string, reason: SummariserFailure): WarningDetail {
  return {
    code: "FALLBACK_USED",
    severity: "info",
    message: `The summariser ${says[reason]}: summary and key points are sentences of the document`,
    context: { summariser, reason },
  };
}

/** The summariser's words, or the extractive summary with a warning; rejects only if the caller gave up. */
export async function summariseOrFallBack(options: SummariseOptions): Promise<SummariseResult> {
  const { summariser, text, spans, query, extractive, maxSummaryChars, maxKeyPoints, maxKeyPointChars } =
    options;
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const limits = { maxSummaryChars, maxKeyPoints, maxKeyPointChars };
  const input = summaryInput(text, spans, summariser.maxInputChars ?? DEFAULT_MAX_INPUT_CHARS);
  try {
    const given = await summariser.summarise({
      text: input,
      ...(query === undefined ? {} : { query }),
      ...limits,
      signal,
    });
    return { ...tidySummary(given, limits), usedSummariser: true, warnings: [] };
  } catch (thrown) {
    signal.throwIfAborted();
    if (ContractError.isInstance(thrown)) throw thrown;
    const { reason } = SummariserError.of(thrown);
    return { ...extractive, usedSummariser: false, warnings: [fallbackWarning(summariser.name, reason)] };
  }
}
