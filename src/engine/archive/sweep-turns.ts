// When a store sweeps by itself, after some of its puts.

import type { SweepReport } from "./archive-store.ts";

/** A sweep for room leaves a tenth free, so that the next sweep is not due at once. */
const KEPT_SHARE = 0.9;
/** Other processes write too: after writing a tenth of the quota ourselves, we measure the store again. */
const LOOK_AGAIN_SHARE = 0.1;
const LOOK_AGAIN_MS = 60 * 60 * 1_000;

interface TurnRules {
  readonly maxBytes: number;
  readonly now: () => number;
}

/** Decides when a store sweeps: not at every put, one sweep at a time, and never delaying a put. */
export class SweepTurns {
  readonly #rules: TurnRules;
  readonly #sweep: (keepBytes: number) => Promise<SweepReport>;
  /** The size after the last sweep; unknown before the first. */
  #leftBytes: number | undefined;
  #writtenBytes = 0;
  #lastAtMs = 0;
  #running: Promise<void> | undefined;
  /** Whether the last sweep failed, and why, until a put was told. */
  #hasFailed = false;
  #untold: unknown;

  constructor(rules: TurnRules, sweep: (keepBytes: number) => Promise<SweepReport>) {
    this.#rules = rules;
    this.#sweep = sweep;
  }

  /** Counts written bytes, and starts a sweep if it is due. Gives why sweeps fail by now, once until one goes well. */
  wrote(bytes: number): unknown {
    this.#writtenBytes += bytes;
    if (this.#isDue()) this.startSoon();
    const untold = this.#untold;
    this.#untold = undefined;
    return untold;
  }

  startSoon(): void {
    if (this.#running !== undefined) return;
    // Not awaited: the next put tells of a failure.
    this.#run(this.#rules.maxBytes * KEPT_SHARE).catch((error: unknown) => {
      if (!this.#hasFailed) this.#untold = error;
      this.#hasFailed = true;
    });
  }

  /** A requested sweep, after one that may be running. */
  async run(): Promise<SweepReport> {
    await this.idle();
    return await this.#run(this.#rules.maxBytes);
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #isDue(): boolean {
    const { maxBytes, now } = this.#rules;
    if (this.#leftBytes === undefined || this.#leftBytes + this.#writtenBytes > maxBytes) return true;
    return (
      this.#writtenBytes > maxBytes * LOOK_AGAIN_SHARE || Math.abs(now() - this.#lastAtMs) > LOOK_AGAIN_MS
    );
  }

  #run(keepBytes: number): Promise<SweepReport> {
    this.#lastAtMs = this.#rules.now();
    this.#writtenBytes = 0;
    // A failed sweep counts as done; otherwise every put would start another.
    this.#leftBytes ??= 0;
    const sweeping = this.#sweep(keepBytes);
    this.#running = sweeping.then(
      ({ storedBytes }) => {
        this.#hasFailed = false;
        this.#ended(storedBytes);
      },
      () => this.#ended(this.#leftBytes),
    );
    return sweeping;
  }

  #ended(leftBytes: number | undefined): void {
    this.#running = undefined;
    this.#leftBytes = leftBytes;
    // What was written during the sweep may exceed the quota again.
    if (this.#writtenBytes > 0 && this.#isDue()) this.startSoon();
  }
}
