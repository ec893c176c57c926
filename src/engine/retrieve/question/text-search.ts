// Lines of a text: by their numbers, by a pattern, or by both. The types that those who ask and the worker that looks
// have in common.

/** Lines from `from` to `to`, both included and counted from 1, or the last ones. */
export type LineRange = { readonly from: number; readonly to: number } | { readonly last: number };

export interface TextSearch {
  /** Where the text stands in the value. Default: the value itself, or the only text of several lines in it. */
  readonly pointer?: string | undefined;
  /** Default: all lines. */
  readonly range?: LineRange | undefined;
  /** An RE2 pattern, tried on each line by itself. Default: every line. */
  readonly pattern?: string | undefined;
  /** Lines shown before and after each that matches. */
  readonly context: number;
  /** How many of the lines that are found the caller has already. */
  readonly skip: number;
  /** Lines are given up to this many UTF-16 units in all, at least one line. */
  readonly maxUnits: number;
}

/** A line, or a piece of one that is too long to be shown. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Where the line begins in the text, in code points. */
  readonly at: number;
  /** Of a piece: where it begins in its line, and how long that is, in code points. */
  readonly piece?: { readonly from: number; readonly of: number } | undefined;
}

export interface FoundLines {
  /** Where the text stands. */
  readonly pointer: string;
  /** A line end at the end of the text begins no further line. */
  readonly totalLines: number;
  /** How many lines match; without a pattern, how many are in the range. */
  readonly matched: number;
  /** How many lines there are to show: those that match and the lines around them. */
  readonly found: number;
  /** Those after the skipped ones, as many as there is room for. */
  readonly lines: readonly FoundLine[];
}
