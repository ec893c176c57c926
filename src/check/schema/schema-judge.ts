import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { JsonValue } from "../../json/json-value.ts";
import type { SchemaVerdict } from "./judge-value.ts";

/** Where the worker's file stands, seen from this module: in the package beside it or one folder up; in the source tree. */
const PLACES = ["./schema-worker.js", "../schema-worker.js", "./schema-worker.source.mjs"];

/** How long one value may take. A good schema takes well under a millisecond. */
const SCHEMA_TIMEOUT_MS = 2_000;
/** How long the thread may take to start. */
const START_TIMEOUT_MS = 20_000;
/** A schema that was too slow so often is not tried again. */
const MAX_TIMEOUTS = 2;
const MAX_HEAP_MIB = 512;

const tooSlow: SchemaVerdict = {
  errors: [],
  isTooSlow: true,
  problem: `judging a value by it was given up: it takes more than ${SCHEMA_TIMEOUT_MS / 1_000} s or ${MAX_HEAP_MIB} MiB`,
};

function openWorker(): Worker {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined) throw new Error("the worker's file is not where the package has it");
  return new Worker(file, {
    name: "waybill-schemas",
    // What compiles the schemas of strangers gets no secrets, and no way to stdout.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
}

/** The next message of a worker; undefined where it ended or took too long. */
function nextMessage(worker: Worker, timeoutMs: number): Promise<unknown> {
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

let idle: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();
const timeouts = new Map<string, number>();

async function takeWorker(): Promise<Worker> {
  const known = idle;
  idle = undefined;
  if (known !== undefined && known.threadId !== -1) {
    known.ref();
    return known;
  }
  const worker = openWorker();
  // What fails in a worker that judges nothing at the moment must not end this process.
  worker.on("error", () => undefined);
  if ((await nextMessage(worker, START_TIMEOUT_MS)) === "ready") return worker;
  await worker.terminate();
  throw new Error("the worker did not start");
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
 * Judges a value by a schema in a worker that is ended when it takes too long. One worker serves the whole process, one
 * value at a time; while it waits it keeps no process alive. Never throws.
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
