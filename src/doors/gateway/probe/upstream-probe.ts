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
  /** Called with the state at each turn and after each answer. */
  readonly found?: ((health: UpstreamHealth) => void) | undefined;
}

export class UpstreamProbe {
  readonly #options: ProbeOptions;
  readonly #end = new AbortController();
  readonly #everyMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #isKnown = false;
  #failure: string | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
    // "off" is no length of time.
    this.#everyMs = spanMs(options.every ?? DEFAULT_PROBE);
    this.#isKnown = this.#everyMs === undefined;
  }

  /** Asks for the first time. Not before the gateway listens: one that cannot start must not have started anything. */
  start(): void {
    if (this.#everyMs === undefined || this.#timer !== undefined) return;
    this.#ask();
    const { isDue, found } = this.#options;
    this.#timer = setInterval(() => {
      found?.(this.health());
      if (this.#asking === undefined && (isDue?.() ?? true)) this.#ask();
    }, this.#everyMs).unref();
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
      if (!this.#end.signal.aborted) this.#options.found?.(this.health());
    });
  }
}
