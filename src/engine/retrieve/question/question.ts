// A question about a result: a JMESPath expression, the value it is about, and the answer with facts about
// it. These types are shared by the callers and the worker.

import type { JsonValue } from "../../../core/json/json-value.ts";

/** The UTF-8 of a value's JSON text, checked against its hash if one is given. */
export interface QuestionedBytes {
  readonly bytes: Uint8Array;
  /**
   * The caller gives the bytes away and never uses them again, which saves a copy. Default: false, the bytes
   * are copied.
   */
  readonly isGiven?: boolean | undefined;
  /** Lower-case hex. */
  readonly sha256?: string | undefined;
  /** Lists in it are written as tables, which are decoded first. */
  readonly hasTables?: boolean | undefined;
  /** The bytes are a text, not the JSON of a value. */
  readonly isText?: boolean | undefined;
}

/** What the question is about. A text that is JSON, and a list under our wrapper `result`, are opened first. */
export type Questioned = { readonly value: JsonValue } | QuestionedBytes;

export interface QuestionAnswer {
  readonly value: JsonValue;
  /** How many records the question covered: the length of the value's main list, or 1. */
  readonly records: number;
  /** What the reader should know: a key that no record has, a comparison of different types. */
  readonly note?: string | undefined;
}

export interface QuestionOptions {
  /** Default: 5,000, and 200 more for each MiB of input. */
  readonly timeoutMs?: number | undefined;
  /** The longest answer, as JSON text. Default: 16 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks questions about values; opened by `openQuestions`, which returns undefined if no worker can start. */
export interface Questions {
  /** Rejects with a `ToolFault` that says where the expression is wrong. Cheap: the value is not needed. */
  check(expression: string): Promise<void>;
  /**
   * Rejects with a `ToolFault`: a wrong expression, a function on a wrong type, or a limit. Never blocks this
   * thread.
   */
  ask(questioned: Questioned, expression: string, options?: QuestionOptions): Promise<QuestionAnswer>;
  /** Searches a text for lines in the same worker, where any pattern may run. Rejects as `ask` does. */
  search(questioned: Questioned, search: TextSearch, options?: QuestionOptions): Promise<FoundLines>;
}

// Lines of a text: by their numbers, by a pattern, or by both. These types are shared by the callers and the worker.

/** Lines from `from` to `to`, both included and counted from 1. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** Lines of several places, in order and apart from each other, or the last ones. */
export type LineRange = { readonly spans: readonly LineSpan[] } | { readonly last: number };

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
