/** What a run of units, from `from` to before `to`, is worth. */
export interface RunScorer {
  /** Whether it is worth anything. */
  readonly hasHits: (from: number, to: number) => boolean;
  /** 0 to 1. */
  readonly score: (from: number, to: number) => number;
}
