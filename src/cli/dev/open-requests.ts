// The requests of a client that have no answer yet: those that the server has, and those that wait for a server.

import type { MessageKind } from "../../engine/transport/message-kind.ts";

/** More than this is no session of a person at work, and would only be held in memory. */
const MAX_WAITING = 1_000;
/** These stay open as long as the client likes, so nobody waits for their end. */
const lasting: ReadonlySet<string> = new Set(["subscriptions/listen"]);

interface OpenRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

export class OpenRequests {
  /** By the JSON text of the id. */
  readonly #asked = new Map<string, OpenRequest>();
  readonly #waiting = new Map<string, Buffer>();
  #onSettled: (() => void) | undefined;
  #isGreeted = false;

  /** Whether the client has had an answer to its greeting. */
  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  get size(): number {
    return this.#asked.size + this.#waiting.size;
  }

  /** The server has it. */
  add({ rawId, method }: MessageKind, bytes: Buffer): void {
    this.#asked.set(rawId, { method, bytes });
  }

  /** It is kept for the next process; false where too many are. */
  wait({ rawId }: MessageKind, bytes: Buffer): boolean {
    if (this.#waiting.size >= MAX_WAITING) return false;
    this.#waiting.set(rawId, bytes);
    return true;
  }

  /** It got its answer, or the client cancelled it and gets none. */
  answered(rawId: string): void {
    if (this.#asked.get(rawId)?.method === "initialize") this.#isGreeted = true;
    this.#asked.delete(rawId);
    this.#waiting.delete(rawId);
    if (!this.#hasCalls()) this.#onSettled?.();
  }

  /** What waited, in its order. */
  takeWaiting(): readonly Buffer[] {
    const taken = [...this.#waiting.values()];
    this.#waiting.clear();
    return taken;
  }

  /** The ids that get no answer from this process. A greeting is kept: refused, the client would leave. */
  takeAll(): readonly string[] {
    const refused: string[] = [];
    for (const [rawId, { method, bytes }] of this.#asked) {
      if (method === "initialize") this.#waiting.set(rawId, bytes);
      else refused.push(rawId);
    }
    this.#asked.clear();
    return refused;
  }

  /** Resolves when the server has answered what it was asked, or when the time is over. */
  settled(limitMs: number): Promise<void> {
    if (!this.#hasCalls()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #hasCalls(): boolean {
    return [...this.#asked.values()].some(({ method }) => !lasting.has(method));
  }
}
