import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import type { QuestionWorker } from "./open-worker.ts";
import type { QuestionAnswer, QuestionRequest, WorkerMessage } from "./question-messages.ts";

/** How a question ended. The last four are endings that the worker itself could not give. */
type Ending =
  | Exclude<WorkerMessage, { readonly kind: "ready" }>
  | { readonly kind: "late" }
  | { readonly kind: "memory" }
  | { readonly kind: "broken" }
  | { readonly kind: "stopped"; readonly reason: unknown };

export interface Turn {
  readonly request: QuestionRequest;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Puts one question to a worker. A worker that did not finish is ended, whatever it was busy with. */
export async function askWorker(worker: QuestionWorker, turn: Turn): Promise<QuestionAnswer> {
  const ending = await endingOf(worker, turn);
  if (ending.kind === "answer") return ending;
  throw failureOf(ending, turn);
}

function failureOf(ending: Exclude<Ending, QuestionAnswer>, { timeoutMs }: Turn): unknown {
  if (ending.kind === "fault") return new ToolFault(ending.message, ending.options);
  if (ending.kind === "late") return tooSlow(timeoutMs);
  if (ending.kind === "memory") return tooHeavy();
  return ending.kind === "broken" ? broken() : ending.reason;
}

function endingOf(worker: QuestionWorker, { request, timeoutMs, signal }: Turn): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (ending.kind === "answer" || ending.kind === "fault") return resolve(ending);
      void worker.terminate().then(() => resolve(ending));
    };
    const onMessage = (message: WorkerMessage): void => {
      if (message.kind !== "ready") settle(message);
    };
    const onError = (error: unknown): void => settle({ kind: isOutOfMemory(error) ? "memory" : "broken" });
    const onExit = (): void => settle({ kind: "broken" });
    const onAbort = (): void => settle({ kind: "stopped", reason: signal?.reason });
    const timer = setTimeout(() => settle({ kind: "late" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    const bytes = "bytes" in request.source ? [request.source.bytes.buffer as ArrayBuffer] : [];
    worker.postMessage(request, bytes);
  });
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
