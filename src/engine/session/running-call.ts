import { CallCancelled } from "../call/unanswered.ts";

/**
 * A call that its client may cancel. It replaces an AbortController, which costs more than the rest of a
 * small call.
 */
export class RunningCall {
  #cancelled: CallCancelled | undefined;
  readonly #stops: ((reason: CallCancelled) => void)[] = [];

  get isCancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  cancel(reason: unknown): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = new CallCancelled(reason);
    for (const stop of this.#stops) stop(this.#cancelled);
  }

  /** Calls `stop` when the client gives up; at once if it already has. */
  onCancel(stop: (reason: CallCancelled) => void): void {
    if (this.#cancelled === undefined) this.#stops.push(stop);
    else stop(this.#cancelled);
  }
}

/** Calls `stop` with the reason when the signal aborts. */
export function onAbort(signal: AbortSignal, stop: (reason: unknown) => void): void {
  signal.addEventListener("abort", () => stop(signal.reason), { once: true });
}
