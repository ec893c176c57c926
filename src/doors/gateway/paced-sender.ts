import type { Link } from "../../engine/transport/link.ts";

/** So much may wait for a side that does not read before the other side is no longer read either: 16 MiB. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Sends to one side of a bridge, and stops reading from the other one while too much waits. Without it the gateway would
 * keep in memory whatever a fast server writes for a client that does not read, where a pipe would make the server wait.
 */
export class PacedSender {
  readonly #to: Link;
  readonly #from: Link;
  #isHolding = false;

  constructor(to: Link, from: Link) {
    this.#to = to;
    this.#from = from;
  }

  send(message: Uint8Array | string): void {
    this.#to.send(message);
    if (this.#isHolding || (this.#to.waitingBytes ?? 0) <= MAX_WAITING_BYTES) return;
    this.#isHolding = true;
    this.#from.hold?.(true);
  }

  /** There is room again, or nobody is left to read what waits. */
  release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#from.hold?.(false);
  }
}
