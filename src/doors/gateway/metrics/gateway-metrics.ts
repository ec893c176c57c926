import type { CallListener } from "../../../engine/observe/call-facts.ts";
import { CallMetrics, processFamilies } from "../../../engine/observe/call-metrics.ts";
import { Counter, type Family, Gauge } from "../../../engine/observe/exposition.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";

interface CountedTokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** The sources that the metrics read on demand. */
export interface MetricsSources {
  readonly upstreams: () => Iterable<readonly [string, UpstreamHealth]>;
  readonly isReady?: (() => boolean) | undefined;
  /** Open client sessions of each upstream. */
  readonly sessions?: (() => Iterable<readonly [string, number]>) | undefined;
  /** Tokens so far; undefined if they cannot be counted. */
  readonly tokens?: (() => Promise<CountedTokens | undefined>) | undefined;
  /** The tokens are the sums of its lines, not estimated from samples. */
  readonly hasAccessLog?: boolean | undefined;
}

/** A server that is being started, or that no client uses now, can be called as far as is known. */
const shownStates = { down: "down", idle: "idle", starting: "idle", up: "up" } as const;

/** What a gateway did since its start, for Prometheus. */
export class GatewayMetrics {
  readonly #sources: MetricsSources;
  readonly #calls = new CallMetrics();
  readonly #process = processFamilies();
  readonly #refusals = new Counter("waybill_auth_refusals_total", "Requests without a valid token.");
  readonly #restarts = new Counter(
    "waybill_upstream_restarts_total",
    "Times that a server's process was started again.",
  );
  readonly #tokensIn: Counter;
  readonly #tokensOut: Counter;
  readonly #gauges: readonly Gauge[];

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    const how =
      sources.hasAccessLog === true ? "the sum of the access log's lines" : "estimated from samples";
    this.#tokensIn = new Counter(
      "waybill_tokens_in_total",
      `Tokens of the results that servers sent; ${how}.`,
    );
    this.#tokensOut = new Counter(
      "waybill_tokens_out_total",
      `Tokens of the results that were sent on; ${how}.`,
    );
    this.#gauges = [
      new Gauge("waybill_upstream_up", "Whether a server can be called: 0 if it is down, else 1.", () =>
        [...sources.upstreams()].map(([upstream, { state }]) => [
          { upstream, state: shownStates[state] },
          state === "down" ? 0 : 1,
        ]),
      ),
      new Gauge("waybill_ready", "Whether /readyz says that the gateway can serve.", () =>
        sources.isReady === undefined ? [] : [[{}, sources.isReady() ? 1 : 0]],
      ),
      new Gauge("waybill_sessions", "Open sessions of clients.", () =>
        [...(sources.sessions?.() ?? [])].map(([upstream, count]) => [{ upstream }, count]),
      ),
    ];
  }

  /** Listens to the calls of one upstream. */
  listener(upstream: string): CallListener {
    return this.#calls.listener({ upstream });
  }

  refused(upstream: string, reason: string): void {
    this.#refusals.add({ upstream, reason });
  }

  /** All numbers as they are now. */
  async families(): Promise<readonly Family[]> {
    const { upstreams, tokens } = this.#sources;
    const counted = await tokens?.();
    for (const [upstream, { restarts }] of upstreams()) this.#restarts.reach({ upstream }, restarts);
    if (counted !== undefined) {
      this.#tokensIn.reach({}, counted.tokensIn);
      this.#tokensOut.reach({}, counted.tokensOut);
    }
    return [
      ...this.#calls.families,
      this.#tokensIn,
      this.#tokensOut,
      this.#refusals,
      this.#restarts,
      ...this.#gauges,
      ...this.#process,
    ];
  }
}
