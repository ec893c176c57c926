/** How long a request other than a tool call may take where nobody says otherwise. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** These wait for what may come at any time: news, or the end of a task. */
const endless: readonly unknown[] = ["subscriptions/listen", "tasks/result"];

/** The time that a request has; undefined where it may wait for ever. Tool calls have a time of their own. */
export function timeFor(method: unknown, timeoutMs: number = REQUEST_TIMEOUT_MS): number | undefined {
  return method === "tools/call" || endless.includes(method) ? undefined : timeoutMs;
}

interface Asked {
  readonly rawId: string;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Requests that were forwarded and have no answer yet, by their id, with its text. None waits longer than it may. */
export class AskedRequests {
  readonly #asked = new Map<unknown, Asked>();
  readonly #timeoutMs: number | undefined;
  readonly #late: (id: unknown, rawId: string, method: unknown) => void;

  /** `late` is told of a request whose time is over; nobody waits for its answer from then on. */
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

  /** The text of a request's id, which is no longer waited for; undefined where it was not. */
  take(id: unknown): string | undefined {
    const asked = this.#asked.get(id);
    if (asked === undefined) return undefined;
    clearTimeout(asked.timer);
    this.#asked.delete(id);
    return asked.rawId;
  }

  /** All of them, which are no longer waited for. */
  takeAll(): readonly string[] {
    return [...this.#asked.keys()].map((id) => this.take(id)).filter((rawId) => rawId !== undefined);
  }
}
