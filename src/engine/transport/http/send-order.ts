import type { Outgoing } from "./outgoing.ts";

const MAX_WAITING = 10_000;
/** How long a message that gets no answer may take to be accepted before the next ones go all the same. */
const ACCEPT_MS = 10_000;

/**
 * Lines come in order, POSTs do not: each has a connection of its own. So whatever follows the greeting waits for its
 * answer, which names the session, and whatever follows a notification or an answer waits until the server has it.
 * Requests do not wait for each other.
 */
export class SendOrder {
  readonly #post: (message: Outgoing) => void;
  #waiting: Outgoing[] = [];
  #held: Outgoing | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (message: Outgoing) => void) {
    this.#post = post;
  }

  /** False where too much waits already; the message is then not sent. */
  add(message: Outgoing): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    this.#waiting.push(message);
    this.#go();
    return true;
  }

  /** The server has it, or never will. */
  done({ bytes }: Outgoing): void {
    if (this.#held?.bytes !== bytes) return;
    clearTimeout(this.#timer);
    this.#held = undefined;
    this.#go();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #go(): void {
    while (this.#held === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const holds = next.key === undefined || next.method === "initialize";
      if (holds) this.#held = next;
      if (next.key === undefined) this.#timer = setTimeout(() => this.done(next), ACCEPT_MS).unref();
      this.#post(next);
    }
  }
}
