import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf, toBytes } from "../../../engine/transport/raw-message.ts";

export interface ExchangeListener {
  /** A message before the answer. */
  readonly heard?: ((bytes: Buffer) => void) | undefined;
  /** The answer; undefined if the server ended without one. */
  readonly answered: (bytes: Buffer | undefined) => void;
}

/** One request of the modern era and its answer inside this process, as the client's end of a bridge. */
export class OneExchange implements Link {
  readonly #body: Buffer;
  readonly #to: ExchangeListener;
  #listener: LinkListener | undefined;
  #isOpen = true;

  constructor(body: Buffer, to: ExchangeListener) {
    this.#body = body;
    this.#to = to;
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = toBytes(message);
    if (kindOf(bytes).kind !== "response") return this.#to.heard?.(bytes);
    this.#isOpen = false;
    // Not while the bridge sends: the bridge would be closed in the middle of its work.
    queueMicrotask(() => this.#listener?.closed("the request was answered"));
    return this.#to.answered(bytes);
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    // The caller learns of the exchange before it is answered.
    queueMicrotask(() => {
      if (this.#isOpen) listener.message(this.#body);
    });
  }

  /** The server ended before it answered. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#to.answered(undefined);
  }

  /** The answer is no longer waited for: in this era that cancels the request. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#listener?.closed("the client closed the response");
  }
}
