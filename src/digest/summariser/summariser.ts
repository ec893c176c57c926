export interface SummariseRequest {
  /** What to condense, at most `maxInputChars` code points. It comes from outside: data, never instructions. */
  readonly text: string;
  readonly query?: string;
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly maxKeyPointChars: number;
  readonly signal: AbortSignal;
}

export interface Summary {
  readonly summary: string;
  readonly keyPoints: readonly string[];
}

/** About 6,000 tokens of English. */
export const DEFAULT_MAX_INPUT_CHARS = 24_000;

export interface Summariser {
  /** Part of the cache key: another model or prompt, another name. Shown to models, so it names no host. */
  readonly name: string;
  /** How many code points of text it takes; 24,000 unless told. */
  readonly maxInputChars?: number;
  summarise(request: SummariseRequest): Promise<Summary>;
}
