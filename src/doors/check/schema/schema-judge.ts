import type { JsonValue } from "../../../core/json/json-value.ts";
import {
  type ThreadKind,
  type WorkerThread,
  isAlive,
  openThread,
} from "../../../engine/runtime/worker-thread.ts";
import type { SchemaVerdict } from "./judge-value.ts";

const schemaThread: ThreadKind = {
  file: "schema-worker",
  here: import.meta.url,
  isReady: (message) => message === "ready",
};

/** How long judging one value may take. A good schema takes well under a millisecond. */
const SCHEMA_TIMEOUT_MS = 2_000;
/** A schema that was too slow this often is not tried again. */
const MAX_TIMEOUTS = 2;
const MAX_HEAP_MIB = 512;

const tooSlow: SchemaVerdict = {
  errors: [],
  isTooSlow: true,
  problem: `judging a value by it was given up: it takes more than ${SCHEMA_TIMEOUT_MS / 1_000} s or ${MAX_HEAP_MIB} MiB`,
};

/** The next message of a worker; undefined if the worker ended or took too long. */
function nextMessage(worker: WorkerThread, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (message?: unknown): void => {
      clearTimeout(timer);
      worker.off("message", settle).off("error", ended).off("exit", ended);
      resolve(message);
    };
    const ended = (): void => settle();
    const timer = setTimeout(ended, timeoutMs);
    worker.on("message", settle).on("error", ended).on("exit", ended);
  });
}

let idle: WorkerThread | undefined;
let last: Promise<unknown> = Promise.resolve();
const timeouts = new Map<string, number>();

async function takeWorker(): Promise<WorkerThread> {
  const known = idle;
  idle = undefined;
  if (known !== undefined && isAlive(known)) {
    known.ref();
    return known;
  }
  const worker = await openThread(schemaThread, MAX_HEAP_MIB);
  if (worker === undefined) throw new Error("the worker did not start");
  return worker;
}

async function judge(schema: string, value: string): Promise<SchemaVerdict> {
  if ((timeouts.get(schema) ?? 0) >= MAX_TIMEOUTS) return tooSlow;
  const worker = await takeWorker();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node has no origin
  worker.postMessage({ schema, value });
  const verdict = (await nextMessage(worker, SCHEMA_TIMEOUT_MS)) as SchemaVerdict | undefined;
  if (verdict === undefined) {
    timeouts.set(schema, (timeouts.get(schema) ?? 0) + 1);
    await worker.terminate();
    return tooSlow;
  }
  worker.unref();
  idle = worker;
  return verdict;
}

/**
 * Judges a value by a schema in a worker that is stopped if it takes too long. One worker serves the whole process, one
 * value at a time; an idle worker does not keep the process alive. Never throws.
 */
export function judgeBySchema(schema: JsonValue, value: JsonValue): Promise<SchemaVerdict> {
  const turn = last.then(async () => {
    try {
      return await judge(JSON.stringify(schema), JSON.stringify(value));
    } catch (error) {
      return { errors: [], problem: `it could not be tried: ${(error as Error).message}` };
    }
  });
  last = turn;
  return turn;
}
