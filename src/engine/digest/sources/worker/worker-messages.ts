import type { ErrorOptions } from "../../../../core/contract/error-response.ts";
import { ToolFault } from "../../../../core/contract/tool-fault.ts";
import type { RawDocument } from "../../document.ts";
import { type ReaderKind, missingKind, missingReader } from "../reader-packages.ts";
import type { ReadJob } from "./read-job.ts";

/** The first message of a worker: a worker that never sends it is not ours, or could not load its modules. */
export const READY = { kind: "ready", name: "waybill-document-worker" } as const;

/** The request to a worker; it reads one document at a time. */
export interface WorkerRequest {
  readonly job: ReadJob;
  readonly timeoutMs: number;
}

/** How a job ended in the worker. */
export type WorkerAnswer =
  | { readonly kind: "read"; readonly document: RawDocument }
  | { readonly kind: "missing"; readonly reader: ReaderKind }
  | { readonly kind: "fault"; readonly message: string; readonly options: ErrorOptions }
  | { readonly kind: "error"; readonly name: string; readonly message: string };

export type WorkerMessage =
  | typeof READY
  | WorkerAnswer
  | { readonly kind: "progress"; readonly done: number; readonly total: number };

/** An error in a form that a message can carry; its cause is not sent. */
export function toAnswer(error: unknown): WorkerAnswer {
  const reader = missingKind(error);
  if (reader !== undefined) return { kind: "missing", reader };
  if (ToolFault.isInstance(error)) return { kind: "fault", message: error.message, options: error.options };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: "error", name, message };
}

/** The document in an answer. A failure is thrown here, so that the fault is made where the caller waits. */
export function documentIn(answer: WorkerAnswer): RawDocument {
  if (answer.kind === "read") return answer.document;
  if (answer.kind === "missing") throw missingReader(answer.reader);
  if (answer.kind === "fault") throw new ToolFault(answer.message, answer.options);
  throw new Error(`${answer.name}: ${answer.message}`);
}
