// Lines of a text: by their numbers, by a pattern, or by both. These types are shared by the callers and the worker.

/** Lines from `from` to `to`, both included and counted from 1, or the last ones. */
export type LineRange = { readonly from: number; readonly to: number } | { readonly last: number };

export interface TextSearch {
  /** Where the text is in the value. Default: the value itself, or its only text of several lines. */
  readonly pointer?: string | undefined;
  /** Default: all lines. */
  readonly range?: LineRange | undefined;
  /** An RE2 pattern, applied to each line separately. Default: every line. */
  readonly pattern?: string | undefined;
  /** Lines shown before and after each match. */
  readonly context: number;
  /** How many of the found lines the caller already has. */
  readonly skip: number;
  /** The most UTF-16 units of all lines together; at least one line is given. */
  readonly maxUnits: number;
}

/** A line, or a piece of a line that is too long to be shown. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Where the line begins in the text, in code points. */
  readonly at: number;
  /** For a piece: where it begins in its line, and the length of the line, in code points. */
  readonly piece?: { readonly from: number; readonly of: number } | undefined;
}

export interface FoundLines {
  /** Where the text is in the value. */
  readonly pointer: string;
  /** A line end at the end of the text does not start another line. */
  readonly totalLines: number;
  /** How many lines match; without a pattern, how many are in the range. */
  readonly matched: number;
  /** How many lines there are to show: the matches and their context. */
  readonly found: number;
  /** The lines after the skipped ones, as many as fit. */
  readonly lines: readonly FoundLine[];
}
