/** What a selection does one after the other, each over the whole text. */
const STAGES = ["read", "count", "weigh", "passages", "sentences"] as const;
type Stage = (typeof STAGES)[number];

/** Between two pauses: short enough that a cancel is heard and a server answers others. */
const TURN_MS = 50;
/** The clock is read only once in this many calls. */
const ASKED_EACH = 128;

interface PacerOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Lets a long computation pause: for other work, to be cancelled, and to report progress. */
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

  /** `at` is how far in the text the stage has come. */
  async pause(at: number): Promise<void> {
    this.#report(this.#stage * this.#length + at);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#options.signal?.throwIfAborted();
    this.#since = performance.now();
  }

  finish(): void {
    this.#report(STAGES.length * this.#length);
  }

  /** A stage done twice does not go back. */
  #report(done: number): void {
    this.#done = Math.max(this.#done, done);
    this.#options.onProgress?.(this.#done, STAGES.length * this.#length);
  }
}
