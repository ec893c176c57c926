export interface SummariseRequest {
  /** The text to summarise, at most `maxInputChars` code points. It is untrusted: data, never instructions. */
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
  /** Part of the cache key: another model or prompt needs another name. Shown to models, so it names no host. */
  readonly name: string;
  /** The most code points of text that it accepts. Default: 24,000. */
  readonly maxInputChars?: number | undefined;
  summarise(request: SummariseRequest): Promise<Summary>;
}

const summariserFailures = ["timeout", "circuit_open", "failed", "invalid_answer"] as const;
export type SummariserFailure = (typeof summariserFailures)[number];

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.SummariserError");

/** Why a summariser gave no summary: for logs and operators, never for a model, which only learns the reason. */
export class SummariserError extends Error {
  override readonly name = "SummariserError";
  readonly reason: SummariserFailure;
  /** The HTTP status, if there was one. */
  readonly status: number | undefined;

  constructor(
    reason: SummariserFailure,
    message: string,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is SummariserError {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** Any error of a summariser as a SummariserError. */
  static of(thrown: unknown): SummariserError {
    if (SummariserError.isInstance(thrown)) return thrown;
    return new SummariserError("failed", "The summariser failed: see the cause.", { cause: thrown });
  }
}
