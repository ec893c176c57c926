import { type ErrorOptions, ToolFault } from "../../../core/contract/tool-fault.ts";
import type { AnswerPiece } from "./answer-pieces.ts";
import type { TextSearch } from "./question.ts";
import type { ThreadKind } from "../../runtime/worker-thread.ts";

/** The first message of a worker: a worker that never sends it is not ours, or could not load its modules. */
export const QUESTION_READY = { kind: "ready", name: "waybill-question-worker" } as const;

export interface SourceBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string | undefined;
  readonly hasTables: boolean;
  readonly isText: boolean;
}

/** The messages to a worker. It answers one question at a time, and sends each piece of the answer on request. */
export type QuestionWork =
  /** A piece of the value's JSON text. */
  | { readonly kind: "part"; readonly text: string }
  | {
      readonly kind: "ask";
      readonly expression: string;
      readonly maxAnswerBytes: number;
      /** Instead of an expression: lines of a text to search for. */
      readonly search: TextSearch | undefined;
      /** The expression is only parsed. */
      readonly isOnlyRead: boolean;
      /** Without bytes, the question is about the parts that came before. */
      readonly source: SourceBytes | undefined;
    }
  | { readonly kind: "more" };

/** What comes with an answer besides its value. */
export interface AnswerHead {
  readonly records: number;
  readonly note: string | undefined;
}

export type QuestionMessage =
  | typeof QUESTION_READY
  | { readonly kind: "piece"; readonly piece: AnswerPiece; readonly head: AnswerHead }
  | { readonly kind: "fault"; readonly message: string; readonly options: ErrorOptions };

/** A failure in a form that a message can carry. An error that is not a fault is our bug, and its text is not sent. */
export function toFaultMessage(error: unknown): QuestionMessage {
  if (ToolFault.isInstance(error)) return { kind: "fault", message: error.message, options: error.options };
  return {
    kind: "fault",
    message: "The question could not be answered: evaluating it failed.",
    options: {
      errorCode: "INTERNAL_ERROR",
      remediation: "Ask in another way, or read the result in pages.",
      details: { reason: "evaluation_failed" },
    },
  };
}

/** The threads that answer questions. The entry file is searched for beside this file. */
export const questionThread: ThreadKind = {
  file: "question-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof QUESTION_READY>).name === QUESTION_READY.name,
};
