import type { Bytes } from "../../../core/text/bytes.ts";
import type { DeliverUnread } from "../../../engine/session/upstream-requests.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { openStandIn } from "../../../engine/call/answered-call.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import {
  type ApartDelivery,
  type ApartMessage,
  type ApartRequest,
  apartThread,
  asBuffer,
  ownBytes,
} from "./apart-messages.ts";
import { plainCall, type PlainCall } from "./plain-call.ts";
import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { TroubleEvent } from "../../../engine/observe/call-facts.ts";
import type { KeepPart } from "../../../core/pipeline/pipeline-context.ts";
import { type Tell, type Turn, WorkerHost } from "../../../engine/runtime/worker-host.ts";

/** From this length on, messages are delivered in another thread: a shorter one is read faster than transferred. */
export const LARGE_BYTES = 1024 * 1024;

/** The message of a large result, and how to deliver it in another thread. */
export interface UnreadAnswer {
  /** The received message; unavailable while another thread has it. */
  readonly bytes: () => Buffer;
  readonly deliver: DeliverUnread;
}

/** A result that is already serialised: its JSON, or the message it came in. */
interface Written {
  readonly text: Buffer | undefined;
  readonly bytes: Buffer | undefined;
}

/** Receives results that are already serialised. */
type TakeWritten = (result: JsonObject, written: Written) => void;

function answerOf(delivery: ApartDelivery, take: TakeWritten) {
  const { text, bytes, sent, arrived, outcome, dialect, source, trace, changes = [] } = delivery;
  const isUntouched = bytes !== undefined;
  const result = sent.texts.length > 0 ? openStandIn(sent) : sent.result;
  take(result, { text: text && asBuffer(text), bytes: bytes && asBuffer(bytes) });
  const arrival = { kind: "result", result: isUntouched ? result : openStandIn(arrived) } as const;
  return {
    result,
    outcome,
    arrival,
    isUntouched,
    isFinished: true,
    dialect,
    source,
    trace,
    changes: () => changes,
  };
}

let isTold = false;

/** Logs once that no worker thread is available. */
function tellMissing({ log }: ContractState): undefined {
  if (!isTold)
    log.warn("large-results-here", {
      hint: "No worker thread can be started: while a large result is read, other calls wait.",
    });
  isTold = true;
  return undefined;
}

/** Wraps a message that is large enough for another thread. */
export function unreadAnswer(message: Buffer, take: TakeWritten): UnreadAnswer {
  let bytes = message;
  const deliver: DeliverUnread = async (state, call, notes, signal) => {
    const plain = plainCall(state, call, notes);
    if (plain === undefined) return undefined;
    if (!host.isAvailable) return tellMissing(state);
    const ending = await deliverApart({
      bytes: ownBytes(bytes),
      call: plain,
      keep: state.archive.keepFor(call.identity.tenant, call.contract.tool),
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

// Large results are delivered in worker threads: reading, cutting and writing one takes longer than other calls on the
// main thread can wait. Two run at a time; one idle worker is kept for a while, and does not keep the process alive.

/** One result to deliver, and the receivers of what is to be kept and logged. */
interface ApartJob {
  readonly bytes: Bytes;
  readonly call: PlainCall;
  readonly keep: KeepPart;
  readonly trouble: (event: TroubleEvent) => void;
  readonly log: (message: Extract<ApartMessage, { readonly kind: "log" }>) => void;
  readonly signal: AbortSignal;
}

/** How the delivery ended; "unread" returns the bytes, to be read by the main thread. */
type ApartEnding = ApartDelivery | { readonly kind: "unread"; readonly bytes: Bytes };

/** Limits the bytes of all waiting and running deliveries together. */
const MIB = 1024 * 1024;
const MAX_BYTES = 512 * MIB;
let takenBytes = 0;
/** Many times what one delivery takes: a stuck worker must not hold its place forever. */
const LEAST_TIME_MS = 60_000;
const TIME_MS_PER_MIB = 2_000;

const host = new WorkerHost<ApartRequest, ApartMessage>(apartThread, {
  places: 2,
  // A parsed value takes up to about ten times its text: enough for the longest possible message.
  heapMib: 4_096,
  // The memory of an idle worker is freed.
  idleMs: 10_000,
});

/** Delivers a result in a worker; undefined if no worker can be started, which is tried only once. */
async function deliverApart(job: ApartJob): Promise<ApartEnding | undefined> {
  const { byteLength } = job.bytes;
  // The first result is always accepted, whatever its length.
  if (takenBytes > 0 && takenBytes + byteLength > MAX_BYTES) throw tooMuchAtOnce();
  takenBytes += byteLength;
  try {
    const timeMs = LEAST_TIME_MS + (byteLength / MIB) * TIME_MS_PER_MIB;
    const ending = await host.run(job.signal, () => turnFor(job, timeMs));
    if (ending === undefined) return undefined;
    if (ending.kind === "late") throw tooSlow(timeMs);
    if (ending.kind === "memory") throw tooHeavy();
    if (ending.kind === "broken") throw ended(ending.error);
    if (ending.kind === "stopped") throw ending.reason;
    return ending.value;
  } finally {
    takenBytes -= byteLength;
  }
}

function turnFor(job: ApartJob, timeoutMs: number): Turn<ApartRequest, ApartMessage, ApartEnding> {
  let pieces: Bytes[] = [];
  let keepError: unknown;
  const keep = (name: string, contentType: string, tell: Tell<ApartRequest>): void => {
    const content = pieces;
    pieces = [];
    job.keep({ name, content, contentType }).then(
      (kept) => tell({ kind: "kept", kept }),
      (error: unknown) => {
        keepError = error;
        tell({ kind: "kept", kept: undefined });
      },
    );
  };
  /** The worker does not know why the store failed; this thread does. */
  const report = (event: TroubleEvent): void =>
    job.trouble(event.event === "archive-failed" ? { ...event, error: keepError } : event);
  return {
    timeoutMs,
    send: (tell) => {
      try {
        return tell({ kind: "deliver", bytes: job.bytes, call: job.call }, [job.bytes.buffer]);
      } catch {
        // Part of the call cannot be transferred, so nothing was sent to the worker.
        return { kind: "unread", bytes: job.bytes };
      }
    },
    hear: (message, tell) => {
      if (message.kind === "delivered" || message.kind === "unread") return message;
      if (message.kind === "piece") pieces.push(message.bytes);
      else if (message.kind === "keep") keep(message.name, message.contentType, tell);
      else if (message.kind === "trouble") report(message.event);
      else if (message.kind === "log") job.log(message);
      return undefined;
    },
  };
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
