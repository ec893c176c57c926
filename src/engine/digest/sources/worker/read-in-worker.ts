import { type Tell, WorkerHost } from "../../../runtime/worker-host.ts";
import type { ThreadKind } from "../../../runtime/worker-thread.ts";
import type { RawDocument } from "../../document.ts";
import {
  type JobOptions,
  type ReadJob,
  type WorkerAnswer,
  type DocumentMessage,
  type DocumentWork,
  DOCUMENT_READY,
  documentIn,
} from "./read-job.ts";
import { faults } from "../../../../core/contract/faults.ts";
import { documentTooLarge, unreadableDocument } from "../unreadable.ts";
import { builtIn } from "../../../runtime/built-in.ts";

const documentThread: ThreadKind = {
  file: "document-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof DOCUMENT_READY>).name === DOCUMENT_READY.name,
};

/** Some 20 times what a long book needs. It does not include the buffers of a PDF: the reader limits them. */
const MAX_HEAP_MIB = 512;

/** One document that takes all its time must not block all others. */
const host = new WorkerHost<DocumentWork, DocumentMessage>(documentThread, {
  places: 4,
  heapMib: MAX_HEAP_MIB,
});

/**
 * Reads a document in a worker thread, so that a document made to use up time or memory costs only its own
 * worker. Undefined if there are no workers.
 */
export async function readInWorker(job: ReadJob, options: JobOptions): Promise<RawDocument | undefined> {
  if (!host.isAvailable) return undefined;
  const { timeoutMs, signal } = options;
  const onProgress = inThisContext(options.onProgress);
  const ending = await host.run<WorkerAnswer>(signal, () => ({
    timeoutMs,
    send: (tell) => send(tell, { job, timeoutMs }),
    hear: (message) => {
      if (message.kind === "ready") return undefined;
      if (message.kind !== "progress") return message;
      onProgress?.(message.done, message.total);
      return undefined;
    },
  }));
  if (ending === undefined) return undefined;
  if (ending.kind === "late") throw tooSlow(job, timeoutMs);
  if (ending.kind === "memory") throw tooHeavy(job);
  if (ending.kind === "broken") throw broken(job);
  if (ending.kind === "stopped") throw ending.reason;
  return documentIn(ending.value);
}

/** Sends a copy of the bytes: the original may be part of a larger buffer, and stays with its owner. */
function send(tell: Tell<DocumentWork>, { job, timeoutMs }: DocumentWork): undefined {
  if (job.kind !== "pdf") return tell({ job, timeoutMs });
  const bytes = new Uint8Array(job.bytes);
  return tell({ job: { ...job, bytes }, timeoutMs }, [bytes.buffer]);
}

/** A worker's messages arrive outside of every call; the caller's listener runs in the caller's async context. */
function inThisContext(onProgress: JobOptions["onProgress"]): JobOptions["onProgress"] {
  const hooks = builtIn("node:async_hooks");
  return onProgress === undefined || hooks === undefined ? onProgress : hooks.AsyncResource.bind(onProgress);
}

function tooSlow({ kind }: ReadJob, timeoutMs: number): Error {
  return faults.timeout(timeoutMs, {
    remediation:
      kind === "pdf"
        ? "Read fewer pages, allow more time, or split the PDF."
        : "Allow more time, or pass a part of it.",
    details: { reason: `slow_${kind}` },
  });
}

const names = { pdf: "PDF", html: "page", markdown: "Markdown text" } as const;

function nameOf({ kind }: ReadJob): string {
  return names[kind];
}

function tooHeavy(job: ReadJob): Error {
  return documentTooLarge(`Reading the ${nameOf(job)} takes more memory than a document may take`, {
    reason: "out_of_memory",
    remediation: "Split the document. If it is small, do not trust it.",
  });
}

function broken(job: ReadJob): Error {
  return unreadableDocument(`The ${nameOf(job)} could not be read: its reader failed`, {
    reason: "reader_failed",
    remediation: "Export or fetch the document again, then try again.",
  });
}
