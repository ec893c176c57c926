/** Between two pauses: short enough that a cancel is heard and a server answers others. */
const TURN_MS = 50;
/** The clock is looked at once in so many questions. */
const ASKED_EACH = 128;

/** Lets a long computation give way: to others, to a cancel, and to who wants to see it advance. */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  readonly #onPause: (done: number) => void;
  #asked = 0;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined, onPause: (done: number) => void) {
    this.#signal = signal;
    this.#onPause = onPause;
    signal?.throwIfAborted();
  }

  /** Whether it is time for a pause. */
  isDue(): boolean {
    if (++this.#asked % ASKED_EACH !== 0) return false;
    return performance.now() - this.#since >= TURN_MS;
  }

  async pause(done: number): Promise<void> {
    this.#onPause(done);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
