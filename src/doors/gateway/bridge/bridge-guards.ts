// What keeps one bridge from harming the process: data that piles up, and exceptions.

import { kindOf } from "../../../engine/transport/raw-message.ts";
import type { Link } from "../../../engine/transport/link.ts";

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

/**
 * An exception while one message is handled ends only that message, never the process: links call from events of
 * streams and timers, where no other code would catch it.
 */
export class MessageGuard {
  readonly #note: (text: string) => void;
  readonly #giveUp: (rawId: string) => void;

  /** `giveUp` receives the id of a request that would stay unanswered. */
  constructor(note: (text: string) => void, giveUp: (rawId: string) => void) {
    this.#note = note;
    this.#giveUp = giveUp;
  }

  /** `awaited`: the kind that `bytes` must have for a client to wait for their outcome. */
  run(handle: () => void, bytes?: Buffer, awaited?: "request" | "response"): void {
    try {
      handle();
    } catch (error) {
      this.#note(`could not handle a message: ${String(error)}`);
      if (bytes === undefined) return;
      const { kind, rawId } = kindOf(bytes);
      // A failure while giving up must not escape either.
      if (kind === awaited && rawId !== "") this.run(() => this.#giveUp(rawId));
    }
  }
}
