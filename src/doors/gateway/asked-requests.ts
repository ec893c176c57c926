/** How long a request other than a tool call may take. Default: 300,000. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** These requests wait for events that may come at any time: news, or the end of a task. */
const endless: readonly unknown[] = ["subscriptions/listen", "tasks/result"];

/** The time limit of a request; undefined if it may wait forever. Tool calls have their own time limit. */
export function timeFor(method: unknown, timeoutMs: number = REQUEST_TIMEOUT_MS): number | undefined {
  return method === "tools/call" || endless.includes(method) ? undefined : timeoutMs;
}

interface Asked {
  readonly rawId: string;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Forwarded requests without an answer, by id, with the text of the id. Each has a time limit. */
export class AskedRequests {
  readonly #asked = new Map<unknown, Asked>();
  readonly #timeoutMs: number | undefined;
  readonly #late: (id: unknown, rawId: string, method: unknown) => void;

  /** `late` is called when the time of a request is over; its answer is no longer expected. */
  constructor(timeoutMs: number | undefined, late: (id: unknown, rawId: string, method: unknown) => void) {
    this.#timeoutMs = timeoutMs;
    this.#late = late;
  }

  get size(): number {
    return this.#asked.size;
  }

  has(id: unknown): boolean {
    return this.#asked.has(id);
  }

  ids(): IterableIterator<unknown> {
    return this.#asked.keys();
  }

  add(id: unknown, rawId: string, method: unknown): void {
    const timeMs = timeFor(method, this.#timeoutMs);
    const expire = (): void => {
      if (this.take(id) !== undefined) this.#late(id, rawId, method);
    };
    this.#asked.set(id, {
      rawId,
      timer: timeMs === undefined ? undefined : setTimeout(expire, timeMs).unref(),
    });
  }

  /** Removes a request and returns the text of its id; undefined if the request is not known. */
  take(id: unknown): string | undefined {
    const asked = this.#asked.get(id);
    if (asked === undefined) return undefined;
    clearTimeout(asked.timer);
    this.#asked.delete(id);
    return asked.rawId;
  }

  /** Removes all requests and returns the texts of their ids. */
  takeAll(): readonly string[] {
    return [...this.#asked.keys()].map((id) => this.take(id)).filter((rawId) => rawId !== undefined);
  }
}
