/** At most this many at a time; others wait in the order in which they came. */
export class Places {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Waits for a place; rejects with the signal's reason if the signal aborts first. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    if (this.#taken < this.#count) {
      this.#taken++;
      return;
    }
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1);
        reject(signal?.reason as Error);
      };
      const proceed = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(proceed);
    });
  }

  /** Gives a place back; the first that waits gets it. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
