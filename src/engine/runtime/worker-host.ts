// Runs work in threads of its own: a turn that takes too much time or memory loses its thread, and nothing else is lost.

import { type ThreadKind, type WorkerThread, mayOpenThread, openThread } from "./worker-thread.ts";

/** Sends a message to the thread, and hands these buffers over; the turn goes on. */
export type Tell<Request> = (request: Request, given?: ArrayBuffer[]) => undefined;

/** One piece of work for a thread. */
export interface Turn<Request, Message, Value> {
  readonly timeoutMs: number;
  /** The work gets a thread of its own with this heap, which is ended afterwards. Default: the thread that is kept. */
  readonly heapMib?: number | undefined;
  /** Sends the work; a value ends the turn without an answer. `isOver` says whether the turn has ended meanwhile. */
  readonly send: (
    tell: Tell<Request>,
    isOver: () => boolean,
  ) => Value | undefined | Promise<Value | undefined>;
  /** Receives a message of the thread; a value ends the turn. */
  readonly hear: (message: Message, tell: Tell<Request>) => Value | undefined;
}

/** How a turn ended. A thread that did not finish its turn is gone by then. */
export type TurnEnding<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "late" }
  | { readonly kind: "memory" }
  | { readonly kind: "broken"; readonly error: unknown }
  | { readonly kind: "stopped"; readonly reason: unknown };

export interface HostOptions {
  /** How many turns run at a time; others wait. */
  readonly places: number;
  /** The largest heap of a thread. */
  readonly heapMib: number;
  /** An idle thread is ended after this time. Default: never. */
  readonly idleMs?: number | undefined;
}

/**
 * Runs turns in threads of one kind. One idle thread is kept, because starting one takes longer than most turns; it keeps
 * no process alive.
 */
export class WorkerHost<Request, Message> {
  readonly #kind: ThreadKind;
  readonly #options: HostOptions;
  readonly #places: Places;
  #idle: WorkerThread | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(kind: ThreadKind, options: HostOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#places = new Places(options.places);
  }

  /** Whether a thread can probably be started, or the last one could. */
  get isAvailable(): boolean {
    return !this.#hasFailed && mayOpenThread(this.#kind);
  }

  /** Starts the thread that is kept; false if none can be started. */
  async warmUp(): Promise<boolean> {
    const worker = await this.#take();
    if (worker !== undefined) this.#keep(worker);
    return worker !== undefined;
  }

  /**
   * Runs a turn, which is prepared once its place is free. Undefined if no thread can be started. Rejects if the signal
   * aborts before the turn begins.
   */
  async run<Value>(
    signal: AbortSignal | undefined,
    prepare: () => Turn<Request, Message, Value> | Promise<Turn<Request, Message, Value>>,
  ): Promise<TurnEnding<Value> | undefined> {
    await this.#places.take(signal);
    try {
      const turn = await prepare();
      const { heapMib } = turn;
      const worker = await (heapMib === undefined ? this.#take() : openThread(this.#kind, heapMib));
      this.#hasFailed = worker === undefined;
      if (worker === undefined) return undefined;
      try {
        signal?.throwIfAborted();
        return await runTurn(worker, turn, signal);
      } finally {
        if (heapMib === undefined) this.#keep(worker);
        else void worker.terminate();
      }
    } finally {
      this.#places.give();
    }
  }

  async #take(): Promise<WorkerThread | undefined> {
    const known = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#idleTimer);
    if (known === undefined || !isAlive(known)) return openThread(this.#kind, this.#options.heapMib);
    known.ref();
    return known;
  }

  #keep(worker: WorkerThread): void {
    if (!isAlive(worker)) return;
    if (this.#idle !== undefined && isAlive(this.#idle)) return void worker.terminate();
    worker.unref();
    this.#idle = worker;
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    const end = (): void => {
      if (this.#idle === worker) this.#idle = undefined;
      void worker.terminate();
    };
    this.#idleTimer = setTimeout(end, idleMs).unref();
  }
}

// Not `withinDeadline`, which answers when the time is up: here the answer must wait until the thread is gone.
function runTurn<Request, Message, Value>(
  worker: WorkerThread,
  { timeoutMs, send, hear }: Turn<Request, Message, Value>,
  signal: AbortSignal | undefined,
): Promise<TurnEnding<Value>> {
  const tell: Tell<Request> = (request, given = []) => {
    worker.postMessage(request, given);
    return undefined;
  };
  return new Promise((resolve) => {
    let isOver = false;
    const settle = (ending: TurnEnding<Value>): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      if (ending.kind === "done") return resolve(ending);
      void worker.terminate().then(() => resolve(ending));
    };
    const stop = (reason: unknown): void => settle({ kind: "stopped", reason });
    const take = (value: Value | undefined): void => {
      if (value !== undefined) settle({ kind: "done", value });
    };
    const onMessage = (message: Message): void => {
      try {
        take(hear(message, tell));
      } catch (reason) {
        stop(reason);
      }
    };
    const onError = (error: unknown): void =>
      settle(isOutOfMemory(error) ? { kind: "memory" } : { kind: "broken", error });
    const onExit = (): void => settle({ kind: "broken", error: undefined });
    const onAbort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => settle({ kind: "late" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    new Promise<Value | undefined>((sent) => sent(send(tell, () => isOver))).then(take, stop);
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A thread that ended while idle has no thread id any more. */
function isAlive({ threadId }: WorkerThread): boolean {
  return threadId !== -1;
}

/** At most this many at a time; others wait in the order in which they came. */
class Places {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Waits for a place; rejects with the signal's reason if the signal aborts first. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    if (this.#taken < this.#count) {
      this.#taken++;
      return;
    }
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1);
        reject(signal?.reason as Error);
      };
      const proceed = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(proceed);
    });
  }

  /** Gives a place back; the first that waits gets it. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
