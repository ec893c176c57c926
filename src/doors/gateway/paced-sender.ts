import type { Link } from "../../engine/transport/link.ts";

/** How much may wait for a side that does not read, before the gateway stops reading the other side: 16 MiB. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Sends to one side of a bridge, and stops reading from the other side while too much data waits. Otherwise the gateway
 * would keep in memory all that a fast server writes for a client that does not read; a pipe would make the server
 * wait.
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

  /** There is room again, or no reader is left. */
  release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#from.hold?.(false);
  }
}
