import type { DeliverUnread } from "../../../engine/session/upstream-requests.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { openStandIn } from "../../../engine/call/stand-in.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import {
  type ApartDelivery,
  asBuffer,
  ownBytes,
  type ApartMessage,
  type ApartRequest,
  type Bytes,
} from "./apart-messages.ts";
import { plainCall, type PlainCall } from "./plain-call.ts";
import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { TroubleEvent } from "../../../engine/observe/call-facts.ts";
import type { KeepPart } from "../../../core/pipeline/parcel.ts";
import { Places } from "../../../engine/runtime/places.ts";
import {
  type WorkerThread,
  isAlive,
  mayOpenThread,
  openThread,
} from "../../../engine/runtime/worker-thread.ts";
import { apartThread } from "./apart-thread.ts";

/** Messages from here on are delivered in another thread: handing a shorter one over takes longer than reading it. */
export const LARGE_BYTES = 1024 * 1024;

/** The message of a large result, and what is sent instead of it. */
export interface UnreadAnswer {
  /** The message as it came; gone while it is elsewhere. */
  readonly bytes: () => Buffer;
  readonly deliver: DeliverUnread;
}

/** A result that is written already: its JSON, or the message that it came in. */
export interface Written {
  readonly text: Buffer | undefined;
  readonly bytes: Buffer | undefined;
}

/** Where results go that are written already. */
type TakeWritten = (result: JsonObject, written: Written) => void;

function answerOf(delivery: ApartDelivery, take: TakeWritten) {
  const { text, bytes, sent, arrived, outcome, dialect, source, trace } = delivery;
  const isUntouched = bytes !== undefined;
  const result = sent.texts.length > 0 ? openStandIn(sent) : sent.result;
  take(result, { text: text && asBuffer(text), bytes: bytes && asBuffer(bytes) });
  const arrival = { kind: "result", result: isUntouched ? result : openStandIn(arrived) } as const;
  return { result, outcome, arrival, isUntouched, isFinished: true, dialect, source, trace };
}

let isTold = false;

/** Says once that there is no other thread. */
function tellMissing({ log }: ContractState): undefined {
  if (!isTold)
    log.warn("large-results-here", {
      hint: "No worker thread can be started: while a large result is read, other calls wait.",
    });
  isTold = true;
  return undefined;
}

/** A message that is large enough to be worked on elsewhere. */
export function unreadAnswer(message: Buffer, take: TakeWritten): UnreadAnswer {
  let bytes = message;
  const deliver: DeliverUnread = async (state, call, notes, signal) => {
    const plain = plainCall(state, call, notes);
    if (plain === undefined) return undefined;
    if (!canDeliverApart()) return tellMissing(state);
    const ending = await deliverApart({
      bytes: ownBytes(bytes),
      call: plain,
      keep: state.archive.keepFor(call.identity.tenant),
      trouble: (event) => state.events.trouble(event),
      log: ({ level, event, fields }) => state.log[level](event, { ...fields }),
      signal,
    });
    if (ending === undefined) return tellMissing(state);
    if (ending.kind === "delivered") return answerOf(ending, take);
    bytes = asBuffer(ending.bytes);
    return undefined;
  };
  return { bytes: () => bytes, deliver };
}

// Large results are delivered in worker threads: reading, cutting and writing one takes longer than others on the main
// thread can wait. Two at a time; one worker stays for a while, and keeps no process alive.

/** One result to deliver, and who hears what is to be kept and logged of it. */
interface ApartJob {
  readonly bytes: Bytes;
  readonly call: PlainCall;
  readonly keep: KeepPart;
  readonly trouble: (event: TroubleEvent) => void;
  readonly log: (message: Extract<ApartMessage, { readonly kind: "log" }>) => void;
  readonly signal: AbortSignal;
}

/** How it ended; "unread" gives the bytes back, to be read where they came from. */
type ApartEnding = ApartDelivery | { readonly kind: "unread"; readonly bytes: Bytes };

/** So many results are worked on at a time; others wait. */
const places = new Places(2);
/** What may wait and be worked on together. */
const MIB = 1024 * 1024;
const MAX_BYTES = 512 * MIB;
let takenBytes = 0;
/** A parsed value takes up to some ten times its text: enough for the longest message there can be. */
const MAX_HEAP_MIB = 4_096;
/** Many times what one takes: a worker that is stuck must not keep its place for good. */
const LEAST_TIME_MS = 60_000;
const TIME_MS_PER_MIB = 2_000;
/** A worker that has nothing to do for so long gives its memory back. */
const IDLE_MS = 10_000;
const isAvailable = { now: true };

/** Whether results may be delivered apart here, as far as that is known. */
function canDeliverApart(): boolean {
  return isAvailable.now && mayOpenThread(apartThread);
}

/** Delivers a result in a worker; undefined where none can be started, which is found out once. */
async function deliverApart(job: ApartJob): Promise<ApartEnding | undefined> {
  const { byteLength } = job.bytes;
  // The first one is always taken, however long it is.
  if (takenBytes > 0 && takenBytes + byteLength > MAX_BYTES) throw tooMuchAtOnce();
  takenBytes += byteLength;
  try {
    await places.take(job.signal);
    try {
      return await deliverNow(job);
    } finally {
      places.give();
    }
  } finally {
    takenBytes -= byteLength;
  }
}

async function deliverNow(job: ApartJob): Promise<ApartEnding | undefined> {
  const worker = await takeWorker();
  isAvailable.now = worker !== undefined;
  if (worker === undefined) return undefined;
  try {
    job.signal.throwIfAborted();
    return await runIn(worker, job);
  } finally {
    putBack(worker);
  }
}

function tell(worker: WorkerThread, request: ApartRequest, given: ArrayBuffer[] = []): void {
  worker.postMessage(request, given);
}

function runIn(worker: WorkerThread, job: ApartJob): Promise<ApartEnding> {
  return new Promise((resolve, reject) => {
    let pieces: Bytes[] = [];
    let keepError: unknown;
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      job.signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      end();
    };
    /** A worker that did not finish is ended, whatever it is busy with. */
    const giveUp = (error: unknown): void =>
      settle(() => void worker.terminate().then(() => reject(error as Error)));
    const keep = (name: string, contentType: string): void => {
      const content = pieces;
      pieces = [];
      job.keep({ name, content, contentType }).then(
        (kept) => tell(worker, { kind: "kept", kept }),
        (error: unknown) => {
          keepError = error;
          tell(worker, { kind: "kept", kept: undefined });
        },
      );
    };
    /** What is wrong with the store is known here. */
    const hear = (event: TroubleEvent): void =>
      job.trouble(event.event === "archive-failed" ? { ...event, error: keepError } : event);
    const onMessage = (message: ApartMessage): void => {
      if (message.kind === "piece") pieces.push(message.bytes);
      else if (message.kind === "keep") keep(message.name, message.contentType);
      else if (message.kind === "trouble") hear(message.event);
      else if (message.kind === "log") job.log(message);
      else if (message.kind !== "ready") settle(() => resolve(message));
    };
    const onError = (error: unknown): void => giveUp(isOutOfMemory(error) ? tooHeavy() : ended(error));
    const onExit = (): void => giveUp(ended(undefined));
    const onAbort = (): void => giveUp(job.signal.reason);
    const timeMs = LEAST_TIME_MS + (job.bytes.byteLength / MIB) * TIME_MS_PER_MIB;
    const timer = setTimeout(() => giveUp(tooSlow(timeMs)), timeMs);
    job.signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    try {
      tell(worker, { kind: "deliver", bytes: job.bytes, call: job.call }, [job.bytes.buffer]);
    } catch {
      // Something of the call cannot be handed over, so nothing was.
      settle(() => resolve({ kind: "unread", bytes: job.bytes }));
    }
  });
}

let idle: { readonly worker: WorkerThread; readonly timer: NodeJS.Timeout } | undefined;

async function takeWorker(): Promise<WorkerThread | undefined> {
  const known = idle;
  idle = undefined;
  clearTimeout(known?.timer);
  if (known === undefined || !isAlive(known.worker)) return openThread(apartThread, MAX_HEAP_MIB);
  known.worker.ref();
  return known.worker;
}

function putBack(worker: WorkerThread): void {
  if (!isAlive(worker)) return;
  if (idle !== undefined) return void worker.terminate();
  worker.unref();
  const end = (): void => {
    if (idle?.worker === worker) idle = undefined;
    void worker.terminate();
  };
  idle = { worker, timer: setTimeout(end, IDLE_MS).unref() };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function ended(cause: unknown): ToolFault {
  return faults.internal("The tool's answer could not be read: the thread that read it ended", {
    details: { reason: "worker_ended", executed: "yes" },
    cause,
  });
}

function tooSlow(waitedMs: number): ToolFault {
  return faults.timeout(Math.round(waitedMs), {
    remediation: "The tool has run, but reading its answer takes too long: ask for less.",
    details: { reason: "slow_answer", executed: "yes" },
  });
}

function tooHeavy(): ToolFault {
  return new ToolFault("The tool's answer takes more memory than one answer may take", {
    errorCode: "TOO_LARGE",
    remediation: "Ask for less: narrow the query, name fewer files or fields, or ask for a page.",
    details: { reason: "out_of_memory", executed: "yes" },
  });
}

function tooMuchAtOnce(): ToolFault {
  return faults.unavailable("Too many large answers came at once, and this one was dropped", {
    remediation: "The tool has run: check what it did before you call it again, and ask for less.",
    details: { reason: "large_answers_waiting", executed: "yes" },
  });
}
