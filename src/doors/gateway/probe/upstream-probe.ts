// Finds out whether an upstream can be called: once at the start, and then from time to time.

import { spanMs } from "../../../core/options/span.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";

const DEFAULT_PROBE = "30s";

export interface ProbeOptions {
  /** How often: the setting `probe`. */
  readonly every: string | undefined;
  /** The state as the calls of clients show it. */
  readonly health: () => UpstreamHealth;
  /** Asks the server once; resolves with why it cannot be called, without paths or secrets. Never rejects. */
  readonly ask: (signal: AbortSignal) => Promise<string | undefined>;
  /** Whether there is a reason to ask again; called at each turn but the first. Default: always. */
  readonly isDue?: (() => boolean) | undefined;
}

export class UpstreamProbe {
  readonly #options: ProbeOptions;
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #isKnown = false;
  #failure: string | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
    const everyMs = spanMs(options.every ?? DEFAULT_PROBE);
    // "off" is no length of time.
    if (everyMs === undefined) {
      this.#isKnown = true;
      return;
    }
    this.#ask();
    this.#timer = setInterval(() => {
      if (this.#asking === undefined && (options.isDue?.() ?? true)) this.#ask();
    }, everyMs).unref();
  }

  /** False until the first answer. */
  get isKnown(): boolean {
    return this.#isKnown || this.#options.health().state === "up";
  }

  /** What clients' calls show comes first; of a server that no client uses, what the last probe has shown. */
  health(): UpstreamHealth {
    const health = this.#options.health();
    if (health.state !== "idle") return health;
    const { restarts } = health;
    if (this.#failure !== undefined) return { state: "down", reason: this.#failure, restarts };
    return this.#isKnown ? health : { state: "starting", restarts };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await this.#asking;
  }

  #ask(): void {
    this.#asking = this.#options.ask(this.#end.signal).then((failure) => {
      this.#asking = undefined;
      this.#isKnown = true;
      this.#failure = failure;
    });
  }
}
