import { kindOf } from "../../engine/transport/message-kind.ts";

/**
 * Whatever is thrown while one message is handled is the end of that message, never of the process: links call from
 * events of streams and timers, where nobody else would catch it.
 */
export class MessageGuard {
  readonly #note: (text: string) => void;
  readonly #giveUp: (rawId: string) => void;

  /** `giveUp` is told the id of a request that would go without an answer. */
  constructor(note: (text: string) => void, giveUp: (rawId: string) => void) {
    this.#note = note;
    this.#giveUp = giveUp;
  }

  /** `awaited` says of which kind `bytes` must be for somebody to wait for what comes of them. */
  run(handle: () => void, bytes?: Buffer, awaited?: "request" | "response"): void {
    try {
      handle();
    } catch (error) {
      this.#note(`could not handle a message: ${String(error)}`);
      if (bytes === undefined) return;
      const { kind, rawId } = kindOf(bytes);
      // What fails twice must not get out either.
      if (kind === awaited && rawId !== "") this.run(() => this.#giveUp(rawId));
    }
  }
}
