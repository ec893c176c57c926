// What a question to a result is: a JMESPath expression, the value it is put to, and the answer with what it was
// computed from. The types that those who ask and the worker that answers have in common.

import type { JsonValue } from "../json/json-value.ts";

/** What the question is put to: a value, or the UTF-8 of its JSON text, checked against its hash where one is given. */
export type Questioned =
  | { readonly value: JsonValue }
  | { readonly bytes: Uint8Array; readonly sha256?: string | undefined };

export interface Answer {
  readonly value: JsonValue;
  /** How many records the question was put to: the length of the value's main list, or 1. */
  readonly records: number;
}

export interface AskOptions {
  /** Default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** The longest answer, as JSON text. Default: 16 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Puts questions to values; opened by `openQuestions`, which gives none where no worker can start. */
export interface Questions {
  /** Throws a `ToolFault` that says where the expression is wrong. Cheap: the value is not needed. */
  check(expression: string): void;
  /** Rejects with a `ToolFault`: a wrong expression, a function on a wrong type, or a limit. Never stalls this thread. */
  ask(questioned: Questioned, expression: string, options?: AskOptions): Promise<Answer>;
}
