import { Places } from "../../../runtime/places.ts";
import { type ThreadKind, type WorkerThread, isAlive, openThread } from "../../../runtime/worker-thread.ts";
import type { RawDocument } from "../../document.ts";
import type { JobOptions, ReadJob } from "./read-job.ts";
import { runInWorker } from "./run-in-worker.ts";
import { READY } from "./worker-messages.ts";

const documentThread: ThreadKind = {
  file: "document-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};

/** Some 20 times what a long book takes. The buffers of a PDF are not part of it: they are limited by the reader. */
const MAX_HEAP_MIB = 512;

/** So many documents are read at a time; others wait. One that takes all its time must not hold up all others. */
const places = new Places(4);

/** Workers that wait for a document. One stays: starting one takes longer than reading a page. */
const idle: WorkerThread[] = [];
let isAvailable = true;

/**
 * Reads a document in a worker thread, so that one made to take all time or memory costs its own worker and nothing
 * else. Undefined where there are no workers. An idle worker keeps no process alive.
 */
export async function readApart(job: ReadJob, options: JobOptions): Promise<RawDocument | undefined> {
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
