/** A stretch of text to be masked. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Judges one place where a trigger stands, between `at` and `end`. `from` is the end of the last finding: nothing
 * before it may be claimed again. Work on a place that is refused is bounded, so that a hostile text stays linear.
 */
export type Finder = (text: string, at: number, end: number, from: number) => Finding | undefined;
