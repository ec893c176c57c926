/** How long running calls may continue after a server is asked to stop. */
export const STOP_GRACE_MS = 10_000;

/** Work that a server has begun and not yet answered. */
export class OpenWork<Piece> {
  readonly #open = new Set<Piece>();
  #waiting: (() => void)[] = [];

  begin(piece: Piece): void {
    this.#open.add(piece);
  }

  end(piece: Piece): void {
    if (!this.#open.delete(piece) || this.#open.size > 0) return;
    for (const done of this.#waiting.splice(0)) done();
  }

  /** Resolves when nothing is open, or when the time is up. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
