// What a question to a result is: a JMESPath expression, the value it is put to, and the answer with what it was
// computed from. The types that those who ask and the worker that answers have in common.

import type { JsonValue } from "../../../core/json/json-value.ts";
import type { FoundLines, TextSearch } from "./text-search.ts";

/** The UTF-8 of a value's JSON text, checked against its hash where one is given. */
export interface QuestionedBytes {
  readonly bytes: Uint8Array;
  /** The caller gives the bytes away and never looks at them again, which saves a copy. Default: they stay the caller's. */
  readonly isGiven?: boolean | undefined;
  /** Lower-case hex. */
  readonly sha256?: string | undefined;
  /** Lists stand in it as tables: they are decoded first. */
  readonly hasTables?: boolean | undefined;
  /** The bytes are a text, not the JSON of a value. */
  readonly isText?: boolean | undefined;
}

/** What the question is put to. A text that is JSON, and a list under our wrapper `result`, are opened first. */
export type Questioned = { readonly value: JsonValue } | QuestionedBytes;

export interface Answer {
  readonly value: JsonValue;
  /** How many records the question was put to: the length of the value's main list, or 1. */
  readonly records: number;
  /** What the reader should know: a key that no record has, a comparison of unlike types. */
  readonly note?: string | undefined;
}

export interface AskOptions {
  /** Default: 5,000, and 200 more for each MiB that is read. */
  readonly timeoutMs?: number | undefined;
  /** The longest answer, as JSON text. Default: 16 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Puts questions to values; opened by `openQuestions`, which gives none where no worker can start. */
export interface Questions {
  /** Rejects with a `ToolFault` that says where the expression is wrong. Cheap: the value is not needed. */
  check(expression: string): Promise<void>;
  /** Rejects with a `ToolFault`: a wrong expression, a function on a wrong type, or a limit. Never stalls this thread. */
  ask(questioned: Questioned, expression: string, options?: AskOptions): Promise<Answer>;
  /** Looks for lines of a text in the same worker, which has time for any pattern. Rejects as `ask` does. */
  search(questioned: Questioned, search: TextSearch, options?: AskOptions): Promise<FoundLines>;
}
