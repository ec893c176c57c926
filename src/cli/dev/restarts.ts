/** One restart at a time. Any number of requests during a restart cause one more restart. */
export class Restarts {
  readonly #restart: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  #count = 0;

  constructor(restart: () => Promise<void>) {
    this.#restart = restart;
  }

  get count(): number {
    return this.#count;
  }

  ask(): void {
    this.#isAskedAgain = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when no restart runs. */
  async done(): Promise<void> {
    this.#isAskedAgain = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      this.#count += 1;
      await this.#restart();
    }
  }
}
