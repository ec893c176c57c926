import type { RawDocument } from "../../document.ts";
import { type DocumentWorker, openWorker } from "./open-worker.ts";
import type { JobOptions, ReadJob } from "./read-job.ts";
import { runInWorker } from "./run-in-worker.ts";

/** So many documents are read at a time; others wait. One that takes all its time must not hold up all others. */
const MAX_WORKERS = 4;

/** Workers that wait for a document. One stays: starting one takes longer than reading a page. */
const idle: DocumentWorker[] = [];
const waiting: (() => void)[] = [];
let taken = 0;
let isAvailable = true;

/**
 * Reads a document in a worker thread, so that one made to take all time or memory costs its own worker and nothing
 * else. Undefined where there are no workers. An idle worker keeps no process alive.
 */
export async function readApart(job: ReadJob, options: JobOptions): Promise<RawDocument | undefined> {
  if (!isAvailable) return undefined;
  await takePlace(options.signal);
  let worker: DocumentWorker | undefined;
  try {
    worker = await takeWorker();
    isAvailable = worker !== undefined;
    options.signal?.throwIfAborted();
    return worker === undefined ? undefined : await runInWorker(worker, job, options);
  } finally {
    if (worker !== undefined) putBack(worker);
    givePlace();
  }
}

/** A place for a worker; whoever gives one up hands it to the first who waits. */
async function takePlace(signal: AbortSignal | undefined): Promise<void> {
  if (taken < MAX_WORKERS) {
    taken++;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      waiting.splice(waiting.indexOf(proceed), 1);
      reject(signal?.reason as Error);
    };
    const proceed = (): void => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.push(proceed);
  });
}

function givePlace(): void {
  const next = waiting.shift();
  if (next === undefined) taken--;
  else next();
}

async function takeWorker(): Promise<DocumentWorker | undefined> {
  // One that ended while it waited has no thread any more.
  const worker = idle.splice(0).find(isAlive);
  if (worker === undefined) return openWorker();
  worker.ref();
  return worker;
}

function isAlive({ threadId }: DocumentWorker): boolean {
  return threadId !== -1;
}

function putBack(worker: DocumentWorker): void {
  if (!isAlive(worker)) return;
  if (idle.length > 0) {
    void worker.terminate();
    return;
  }
  worker.unref();
  idle.push(worker);
}
