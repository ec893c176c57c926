import { MAX_PENDING } from "../../../core/protocol/pending-requests.ts";
import type { Outgoing } from "./message-headers.ts";

/** How long to wait until the server accepts a message without an answer; then the next messages are sent anyway. */
const ACCEPT_MS = 10_000;

/**
 * Lines come in order, but POSTs do not: each has its own connection. So messages after the greeting wait for
 * its answer, which names the session, and messages after a notification or a response wait until the server
 * has it. Requests do not wait for each other.
 */
export class SendOrder {
  readonly #post: (message: Outgoing) => void;
  #waiting: Outgoing[] = [];
  #held: Outgoing | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (message: Outgoing) => void) {
    this.#post = post;
  }

  /** False if too many messages wait already; the message is then not sent. */
  add(message: Outgoing): boolean {
    if (this.#waiting.length >= MAX_PENDING) return false;
    this.#waiting.push(message);
    this.#go();
    return true;
  }

  /** The server has the message, or never will. */
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
