import type { ErrorOptions } from "../contract/error-response.ts";
import { ToolFault } from "../contract/tool-fault.ts";

/** The first message of a worker: one that never sends it is not ours, or could not load what it needs. */
export const READY = { kind: "ready", name: "waybill-question-worker" } as const;

/** What a worker is asked; it answers one question at a time. */
export interface QuestionRequest {
  readonly expression: string;
  readonly maxAnswerBytes: number;
  /** The JSON text of the value, in pieces, or its bytes. */
  readonly source: { readonly texts: readonly string[] } | SourceBytes;
}

export interface SourceBytes {
  readonly bytes: Uint8Array;
  readonly sha256: string | undefined;
  readonly hasTables: boolean;
  readonly isText: boolean;
}

export interface QuestionAnswer {
  readonly kind: "answer";
  /** The JSON text of the answer. */
  readonly text: string;
  readonly records: number;
  readonly note: string | undefined;
}

export type WorkerMessage =
  | typeof READY
  | QuestionAnswer
  | { readonly kind: "fault"; readonly message: string; readonly options: ErrorOptions };

/** A failure in a form that a message can carry. What is no fault is a bug of ours, and its text stays behind. */
export function toFaultMessage(error: unknown): WorkerMessage {
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
