// Questions are answered in worker threads: an expression can use up all time and memory, and then only its
// own worker is lost. One worker stays ready for small questions; it keeps no process alive.

import { Places } from "../../runtime/places.ts";
import { type WorkerThread, isAlive, openThread } from "../../runtime/worker-thread.ts";
import { assertLength, checkExpression } from "./check-expression.ts";
import type { Answer, AskOptions, FoundLines, Questioned, Questions, TextSearch } from "./question.ts";
import { questionThread } from "./question-thread.ts";
import { jsonChunks } from "../../../core/json/json-chunks.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import type { SourceBytes, WorkerMessage, WorkerRequest } from "./question-messages.ts";
import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { PieceJoiner } from "./answer-pieces.ts";

/** Parsing a large value takes time before the question begins, and twice as long on a busy machine. */
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS_PER_MIB = 200;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** This many questions are answered at a time; others wait. */
const places = new Places(2);
const MIB = 1024 * 1024;
/** The heap of a worker for values of up to this size. */
const WARM_HEAP_MIB = 256;
const WARM_BYTES = 8 * MIB;
/** A parsed value takes up to about ten times its text; the results of a question come on top. */
const HEAP_FACTOR = 16;
const MAX_HEAP_MIB = 4_096;

let idle: WorkerThread | undefined;
let opened: Promise<Questions | undefined> | undefined;

/**
 * Opens the questions; undefined if no worker can start, which is determined once and reported once. The
 * first call starts the worker that stays ready.
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

/**
 * Up to this length an expression is parsed in this thread, in a few milliseconds; explaining a long one can
 * take a hundred.
 */
const SHORT_LENGTH = 200;

async function check(expression: string): Promise<void> {
  if (expression.length <= SHORT_LENGTH) return void checkExpression(expression);
  assertLength(expression);
  await run({ value: null }, { expression, isOnlyRead: true }, {});
}

async function ask(questioned: Questioned, expression: string, options: AskOptions = {}): Promise<Answer> {
  // The worker parses the expression: it has the value and can show an expression that fits.
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

/** What a worker gets to parse, and its length. */
interface QuestionSource {
  readonly source: SourceBytes | readonly string[];
  readonly bytes: number;
}

/** Copied and written without a pause: a few milliseconds. */
const COPY_BYTES = 8 * 1024 * 1024;
const WRITE_LENGTH = 1024 * 1024;

/** Prepares a value or bytes for the worker, with pauses: a large one must not block this thread. */
async function sourceOf(questioned: Questioned): Promise<QuestionSource> {
  if (!("bytes" in questioned)) return writeTexts(questioned.value);
  const { sha256, hasTables = false, isText = false, isGiven = false } = questioned;
  const bytes = isGiven && isWhole(questioned.bytes) ? questioned.bytes : await copyOf(questioned.bytes);
  return { source: { bytes, sha256, hasTables, isText }, bytes: bytes.byteLength };
}

/** Transferring bytes that are part of a larger buffer would transfer the rest too. */
function isWhole(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/** The worker gets a copy: the original may be part of a larger buffer, and stays with its owner. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength);
  for (let start = 0; start < bytes.byteLength; start += COPY_BYTES) {
    if (start > 0) await pause();
    copy.set(bytes.subarray(start, start + COPY_BYTES), start);
  }
  return copy;
}

async function writeTexts(value: JsonValue): Promise<QuestionSource> {
  const texts: string[] = [];
  let length = 0;
  let sincePause = 0;
  for (const text of jsonChunks(value)) {
    texts.push(text);
    length += text.length;
    sincePause += text.length;
    if (sincePause > WRITE_LENGTH) {
      sincePause = 0;
      await pause();
    }
  }
  return { source: texts, bytes: length };
}

interface Turn {
  readonly expression: string;
  /** Instead of an expression: lines of a text to search for. */
  readonly search?: TextSearch | undefined;
  /** The expression is only parsed, to check it. */
  readonly isOnlyRead?: boolean | undefined;
  readonly maxAnswerBytes: number;
  /** Bytes, which are transferred, or the pieces of a JSON text. */
  readonly source: SourceBytes | readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How a question ended. The last four are endings that the worker itself cannot report. */
type Ending =
  | { readonly kind: "answer"; readonly answer: Answer }
  | Extract<WorkerMessage, { readonly kind: "fault" }>
  | { readonly kind: "late" }
  | { readonly kind: "memory" }
  | { readonly kind: "broken" }
  | { readonly kind: "stopped"; readonly reason: unknown };

/** Asks a worker one question. A worker that did not finish is terminated, whatever it is doing. */
async function askWorker(worker: WorkerThread, turn: Turn): Promise<Answer> {
  const ending = await endingOf(worker, turn);
  if (ending.kind === "answer") return ending.answer;
  throw failureOf(ending, turn);
}

function failureOf(ending: Exclude<Ending, { readonly kind: "answer" }>, { timeoutMs }: Turn): unknown {
  if (ending.kind === "fault") return new ToolFault(ending.message, ending.options);
  if (ending.kind === "late") return tooSlow(timeoutMs);
  if (ending.kind === "memory") return tooHeavy();
  return ending.kind === "broken" ? broken() : ending.reason;
}

function endingOf(worker: WorkerThread, turn: Turn): Promise<Ending> {
  const { timeoutMs, signal } = turn;
  const joiner = new PieceJoiner();
  return new Promise((resolve) => {
    let isSettled = false;
    const settle = (ending: Ending): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (ending.kind === "answer" || ending.kind === "fault") return resolve(ending);
      void worker.terminate().then(() => resolve(ending));
    };
    const onMessage = (message: WorkerMessage): void => {
      if (message.kind === "ready") return;
      if (message.kind === "fault") return settle(message);
      const value = joiner.add(message.piece);
      if (value === undefined) tell(worker, { kind: "more" });
      else settle({ kind: "answer", answer: { value, ...message.head } });
    };
    const onError = (error: unknown): void => settle({ kind: isOutOfMemory(error) ? "memory" : "broken" });
    const onExit = (): void => settle({ kind: "broken" });
    const onAbort = (): void => settle({ kind: "stopped", reason: signal?.reason });
    const timer = setTimeout(() => settle({ kind: "late" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    send(worker, turn, () => isSettled).catch((reason: unknown) => settle({ kind: "stopped", reason }));
  });
}

function tell(worker: WorkerThread, request: WorkerRequest, given: ArrayBuffer[] = []): void {
  worker.postMessage(request, given);
}

/** How much text is posted before a pause. */
const PAUSE_LENGTH = 1024 * 1024;

async function send(
  worker: WorkerThread,
  { source, expression, maxAnswerBytes, search, isOnlyRead = false }: Turn,
  isOver: () => boolean,
): Promise<void> {
  const asked = { kind: "ask", expression, maxAnswerBytes, search, isOnlyRead } as const;
  if ("bytes" in source) return tell(worker, { ...asked, source }, [source.bytes.buffer]);
  let sincePause = 0;
  for (const text of source) {
    if (isOver()) return;
    tell(worker, { kind: "part", text });
    sincePause += text.length;
    if (sincePause > PAUSE_LENGTH) {
      sincePause = 0;
      await pause();
    }
  }
  tell(worker, { ...asked, source: undefined });
}

/** Lets all other work that waits on this thread run first. */
function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooSlow(timeoutMs: number): ToolFault {
  return faults.timeout(timeoutMs, {
    remediation: "Ask for less: filter first, or split the question.",
    details: { reason: "slow_question" },
  });
}

function tooHeavy(): ToolFault {
  return new ToolFault("The question takes more memory than a question may take.", {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: filter first, take fewer fields, or count.",
    details: { reason: "out_of_memory" },
  });
}

function broken(): ToolFault {
  return new ToolFault("The question could not be answered: its worker ended.", {
    errorCode: "INTERNAL_ERROR",
    remediation: "Ask again; if it happens twice, ask in another way.",
    details: { reason: "worker_ended" },
  });
}
