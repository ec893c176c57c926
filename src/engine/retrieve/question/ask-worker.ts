import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { PieceJoiner } from "./answer-pieces.ts";
import type { WorkerThread } from "../../runtime/worker-thread.ts";
import type { Answer } from "./question.ts";
import type { SourceBytes, WorkerMessage, WorkerRequest } from "./question-messages.ts";
import type { TextSearch } from "./text-search.ts";

export interface Turn {
  readonly expression: string;
  /** In place of the expression: lines of a text to look for. */
  readonly search?: TextSearch | undefined;
  /** The expression is read, and put to nothing: is it right? */
  readonly isOnlyRead?: boolean | undefined;
  readonly maxAnswerBytes: number;
  /** Bytes, which are given away, or the pieces of a JSON text. */
  readonly source: SourceBytes | readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How a question ended. The last four are endings that the worker itself could not give. */
type Ending =
  | { readonly kind: "answer"; readonly answer: Answer }
  | Extract<WorkerMessage, { readonly kind: "fault" }>
  | { readonly kind: "late" }
  | { readonly kind: "memory" }
  | { readonly kind: "broken" }
  | { readonly kind: "stopped"; readonly reason: unknown };

/** Puts one question to a worker. A worker that did not finish is ended, whatever it was busy with. */
export async function askWorker(worker: WorkerThread, turn: Turn): Promise<Answer> {
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

/** So much text is handed over before others get their turn. */
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

/** Lets everything else that waits on this thread come first. */
export function pause(): Promise<void> {
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
