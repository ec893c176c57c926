// Questions are answered in worker threads: an expression can be made to take all time and memory, and then costs its
// own worker and nothing else. One worker stays warm for small questions; it keeps no process alive.

import { Places } from "../../runtime/places.ts";
import { type WorkerThread, isAlive, openThread } from "../../runtime/worker-thread.ts";
import { type Turn, askWorker } from "./ask-worker.ts";
import { assertLength, checkExpression } from "./check-expression.ts";
import type { Answer, AskOptions, Questioned, Questions } from "./question.ts";
import { sourceOf } from "./question-source.ts";
import { questionThread } from "./question-thread.ts";
import type { FoundLines, TextSearch } from "./text-search.ts";

/** Reading a large value takes its time before the question begins, on a busy machine twice as long. */
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS_PER_MIB = 200;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** So many questions are answered at a time; others wait. */
const places = new Places(2);
const MIB = 1024 * 1024;
/** The heap of a worker for values of up to this size. */
const WARM_HEAP_MIB = 256;
const WARM_BYTES = 8 * MIB;
/** A parsed value takes up to some ten times its text; what a question makes of it comes on top. */
const HEAP_FACTOR = 16;
const MAX_HEAP_MIB = 4_096;

let idle: WorkerThread | undefined;
let opened: Promise<Questions | undefined> | undefined;

/**
 * Where questions can be put; undefined where no worker can start, which is found out once and said once. The first call
 * starts the worker that stays.
 */
export function openQuestions(say?: (message: string) => void): Promise<Questions | undefined> {
  opened ??= start(say);
  return opened;
}

async function start(say: ((message: string) => void) | undefined): Promise<Questions | undefined> {
  const worker = await openThread(questionThread, WARM_HEAP_MIB);
  if (worker === undefined) {
    say?.("Questions to results (select) are not offered: no worker thread can be started here.");
    return undefined;
  }
  keep(worker);
  return { check, ask, search };
}

/** Read in this thread up to this length, which takes a few milliseconds; to explain a long one can take a hundred. */
const SHORT_LENGTH = 200;

async function check(expression: string): Promise<void> {
  if (expression.length <= SHORT_LENGTH) return void checkExpression(expression);
  assertLength(expression);
  await run({ value: null }, { expression, isOnlyRead: true }, {});
}

async function ask(questioned: Questioned, expression: string, options: AskOptions = {}): Promise<Answer> {
  // The worker reads it: with the value at hand it can show an expression that fits.
  assertLength(expression);
  return run(questioned, { expression }, options);
}

async function search(
  questioned: Questioned,
  asked: TextSearch,
  options: AskOptions = {},
): Promise<FoundLines> {
  const { value } = await run(questioned, { expression: "", search: asked }, options);
  return value as unknown as FoundLines;
}

async function run(
  questioned: Questioned,
  asked: Pick<Turn, "expression" | "search" | "isOnlyRead">,
  options: AskOptions,
): Promise<Answer> {
  const { signal, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  signal?.throwIfAborted();
  await places.take(signal);
  try {
    const { source, bytes } = await sourceOf(questioned);
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS + DEFAULT_TIMEOUT_MS_PER_MIB * (bytes / MIB);
    return await put(bytes, { ...asked, maxAnswerBytes, source, timeoutMs, signal });
  } finally {
    places.give();
  }
}

async function put(bytes: number, turn: Turn): Promise<Answer> {
  const worker = await workerFor(bytes);
  try {
    turn.signal?.throwIfAborted();
    return await askWorker(worker, turn);
  } finally {
    if (bytes <= WARM_BYTES) keep(worker);
    else void worker.terminate();
  }
}

async function workerFor(bytes: number): Promise<WorkerThread> {
  const known = idle;
  if (bytes <= WARM_BYTES && known !== undefined) {
    idle = undefined;
    if (isAlive(known)) {
      known.ref();
      return known;
    }
  }
  const heapMib = WARM_HEAP_MIB + Math.ceil((bytes / MIB) * HEAP_FACTOR);
  const allowedMib = bytes <= WARM_BYTES ? WARM_HEAP_MIB : Math.min(heapMib, MAX_HEAP_MIB);
  const worker = await openThread(questionThread, allowedMib);
  if (worker === undefined)
    throw new Error("A worker for questions could be started before, and now it cannot.");
  return worker;
}

function keep(worker: WorkerThread): void {
  if (!isAlive(worker)) return;
  if (idle !== undefined && isAlive(idle)) {
    void worker.terminate();
    return;
  }
  worker.unref();
  idle = worker;
}
