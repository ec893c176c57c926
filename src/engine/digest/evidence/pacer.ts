/** The steps of a selection, each over the whole text. */
const STAGES = ["read", "count", "weigh", "passages", "sentences"] as const;
type Stage = (typeof STAGES)[number];

/** The time between two pauses: short enough to notice a cancel and to let a server answer others. */
const TURN_MS = 50;
/** The clock is read only once in this many calls. */
const ASKED_EACH = 128;

interface PacerOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Lets a long computation pause: for other work, for cancellation, and to report progress. */
export class Pacer {
  readonly #length: number;
  readonly #options: PacerOptions;
  #stage = 0;
  #done = 0;
  #asked = 0;
  #since = performance.now();

  constructor(length: number, options: PacerOptions) {
    this.#length = length;
    this.#options = options;
    options.signal?.throwIfAborted();
  }

  enter(stage: Stage): void {
    this.#stage = STAGES.indexOf(stage);
  }

  /** Whether it is time for a pause. */
  isDue(): boolean {
    if (++this.#asked % ASKED_EACH !== 0) return false;
    return performance.now() - this.#since >= TURN_MS;
  }

  /** `at` is the position of the stage in the text. */
  async pause(at: number): Promise<void> {
    this.#report(this.#stage * this.#length + at);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#options.signal?.throwIfAborted();
    this.#since = performance.now();
  }

  finish(): void {
    this.#report(STAGES.length * this.#length);
  }

  /** Progress does not go back if a stage runs twice. */
  #report(done: number): void {
    this.#done = Math.max(this.#done, done);
    this.#options.onProgress?.(this.#done, STAGES.length * this.#length);
  }
}
