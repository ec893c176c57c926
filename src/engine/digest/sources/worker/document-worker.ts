// The entry file of a worker thread that reads PDF and HTML. read-in-worker.ts starts it, and no module imports
// it: a build must put it where that module searches for it.
import { parentPort } from "node:worker_threads";
import {
  type DocumentMessage,
  type DocumentWork,
  DOCUMENT_READY,
  readJob,
  toWorkerAnswer,
} from "./read-job.ts";

function tell(message: DocumentMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  parentPort?.postMessage(message);
}

async function answer({ job, timeoutMs }: DocumentWork): Promise<void> {
  const onProgress = (done: number, total: number): void => tell({ kind: "progress", done, total });
  try {
    tell({ kind: "read", document: await readJob(job, { timeoutMs, onProgress }) });
  } catch (error) {
    tell(toWorkerAnswer(error));
  }
}

parentPort?.on("message", (request: DocumentWork) => void answer(request));
tell(DOCUMENT_READY);
