import { Places } from "../../../runtime/places.ts";
import { type ThreadKind, type WorkerThread, isAlive, openThread } from "../../../runtime/worker-thread.ts";
import type { RawDocument } from "../../document.ts";
import {
  type JobOptions,
  type ReadJob,
  type WorkerAnswer,
  type WorkerMessage,
  type WorkerRequest,
  READY,
  documentIn,
} from "./read-job.ts";
import { faults } from "../../../../core/contract/faults.ts";
import { tooLarge, unreadable } from "../unreadable.ts";
import { builtIn } from "../../../runtime/built-in.ts";

const documentThread: ThreadKind = {
  file: "document-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};

/** Some 20 times what a long book needs. It does not include the buffers of a PDF: the reader limits them. */
const MAX_HEAP_MIB = 512;

/** This many documents are read at a time; others wait. One that takes all its time must not block all others. */
const places = new Places(4);

/** Idle workers. One is kept: starting a worker takes longer than reading a page. */
const idle: WorkerThread[] = [];
let isAvailable = true;

/**
 * Reads a document in a worker thread, so that a document made to use up time or memory costs only its own
 * worker. Undefined if there are no workers. An idle worker keeps no process alive.
 */
export async function readInWorker(job: ReadJob, options: JobOptions): Promise<RawDocument | undefined> {
  if (!isAvailable) return undefined;
  await places.take(options.signal);
  let worker: WorkerThread | undefined;
  try {
    worker = await takeWorker();
    isAvailable = worker !== undefined;
    options.signal?.throwIfAborted();
    return worker === undefined ? undefined : await runInWorker(worker, job, options);
  } finally {
    if (worker !== undefined) putBack(worker);
    places.give();
  }
}

async function takeWorker(): Promise<WorkerThread | undefined> {
  const worker = idle.splice(0).find(isAlive);
  if (worker === undefined) return openThread(documentThread, MAX_HEAP_MIB);
  worker.ref();
  return worker;
}

function putBack(worker: WorkerThread): void {
  if (!isAlive(worker)) return;
  if (idle.length > 0) {
    void worker.terminate();
    return;
  }
  worker.unref();
  idle.push(worker);
}

/** How a job ended that the worker itself could not end. */
type Ending =
  | WorkerAnswer
  | { readonly kind: "late" }
  | { readonly kind: "memory" }
  | { readonly kind: "broken" }
  | { readonly kind: "stopped"; readonly reason: unknown };

/** Whether the worker itself ended the job: it can take another document. */
function isAnswer({ kind }: Ending): boolean {
  return kind === "read" || kind === "fault" || kind === "missing" || kind === "error";
}

/** Reads a document in a worker. A worker that did not finish is terminated, whatever it is doing. */
async function runInWorker(worker: WorkerThread, job: ReadJob, options: JobOptions): Promise<RawDocument> {
  const ending = await endingOf(worker, job, options);
  if (ending.kind === "late") throw tooSlow(job, options.timeoutMs);
  if (ending.kind === "memory") throw tooHeavy(job);
  if (ending.kind === "broken") throw broken(job);
  if (ending.kind === "stopped") throw ending.reason;
  return documentIn(ending);
}

// Not `withinDeadline`, which answers when the time is up: here the answer must wait until the worker is gone.
function endingOf(worker: WorkerThread, job: ReadJob, options: JobOptions): Promise<Ending> {
  const { signal, timeoutMs } = options;
  const onProgress = inThisContext(options.onProgress);
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (isAnswer(ending)) return resolve(ending);
      void worker.terminate().then(() => resolve(ending));
    };
    const onMessage = (message: WorkerMessage): void => {
      if (message.kind === "ready") return;
      if (message.kind !== "progress") return settle(message);
      try {
        onProgress?.(message.done, message.total);
      } catch (reason) {
        settle({ kind: "stopped", reason });
      }
    };
    const onError = (error: unknown): void => settle({ kind: isOutOfMemory(error) ? "memory" : "broken" });
    const onExit = (): void => settle({ kind: "broken" });
    const onAbort = (): void => settle({ kind: "stopped", reason: signal?.reason });
    const timer = setTimeout(() => settle({ kind: "late" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    send(worker, { job, timeoutMs });
  });
}

/** Sends a copy of the bytes: the original may be part of a larger buffer, and stays with its owner. */
function send(worker: WorkerThread, { job, timeoutMs }: WorkerRequest): void {
  if (job.kind !== "pdf") return worker.postMessage({ job, timeoutMs }, []);
  const bytes = new Uint8Array(job.bytes);
  worker.postMessage({ job: { ...job, bytes }, timeoutMs }, [bytes.buffer]);
}

/** A worker's messages arrive outside of every call; the caller's listener runs in the caller's async context. */
function inThisContext(onProgress: JobOptions["onProgress"]): JobOptions["onProgress"] {
  const hooks = builtIn("node:async_hooks");
  return onProgress === undefined || hooks === undefined ? onProgress : hooks.AsyncResource.bind(onProgress);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
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
  return tooLarge(`Reading the ${nameOf(job)} takes more memory than a document may take`, {
    reason: "out_of_memory",
    remediation: "Split the document. If it is small, do not trust it.",
  });
}

function broken(job: ReadJob): Error {
  return unreadable(`The ${nameOf(job)} could not be read: its reader failed`, {
    reason: "reader_failed",
    remediation: "Export or fetch the document again, then try again.",
  });
}
