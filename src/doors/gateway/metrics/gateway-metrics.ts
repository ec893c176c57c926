import type { CallFacts, CallListener } from "../../../engine/observe/call-facts.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import { Counter, Gauge, HistogramFamily, expose, type Family, EXPOSITION_TYPE } from "./exposition.ts";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Seconds; a tool call takes from a few milliseconds to minutes. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The sources that the metrics read on demand. */
export interface MetricsSources {
  readonly upstreams: () => Iterable<readonly [string, UpstreamHealth]>;
  readonly isReady?: (() => boolean) | undefined;
  /** Open client sessions of each upstream. */
  readonly sessions?: (() => Iterable<readonly [string, number]>) | undefined;
  /** Tokens so far; an estimate if long results were sampled. */
  readonly tokens?: (() => { readonly tokensIn: number; readonly tokensOut: number } | undefined) | undefined;
}

/** A server that is being started, or that no client uses now, can be called as far as is known. */
const shownStates = { down: "down", idle: "idle", starting: "idle", up: "up" } as const;

/** What a gateway did since its start, for Prometheus. */
export class GatewayMetrics {
  readonly #sources: MetricsSources;
  readonly #calls = new Counter("waybill_calls_total", "Tool calls that were answered.");
  readonly #errors = new Counter(
    "waybill_errors_total",
    "Tool calls that were answered with a failure, by its code.",
  );
  readonly #abandoned = new Counter(
    "waybill_calls_abandoned_total",
    "Tool calls that got no answer: cancelled, or broken off.",
  );
  readonly #cuts = new Counter("waybill_cuts_total", "Results that were cut to the budget.");
  readonly #retrievals = new Counter(
    "waybill_retrievals_total",
    "Calls of the retrieval tool that gave something back.",
  );
  readonly #writes = new Counter(
    "waybill_archive_writes_total",
    "Results that were to be archived, by whether they were.",
  );
  readonly #bytes = new Counter("waybill_result_bytes_total", "Bytes of text in results that were sent.");
  readonly #refusals = new Counter("waybill_auth_refusals_total", "Requests without a valid token.");
  readonly #restarts = new Counter(
    "waybill_upstream_restarts_total",
    "Times that a server's process was started again.",
  );
  readonly #tokensIn = new Counter(
    "waybill_tokens_in_total",
    "Tokens of the results that servers sent; estimated from samples.",
  );
  readonly #tokensOut = new Counter(
    "waybill_tokens_out_total",
    "Tokens of the results that were sent on; estimated from samples.",
  );
  readonly #durations = new HistogramFamily(
    "waybill_call_duration_seconds",
    "Time of a tool call.",
    DURATION_BOUNDS,
  );
  readonly #gauges: readonly Gauge[];

  constructor(sources: MetricsSources) {
    this.#sources = sources;
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
    return {
      start: ({ tool }) => ({ end: (facts) => this.#count(upstream, tool, facts) }),
    };
  }

  refused(upstream: string, reason: string): void {
    this.#refusals.add({ upstream, reason });
  }

  /** The whole page. */
  text(): string {
    const { upstreams, tokens } = this.#sources;
    for (const [upstream, { restarts }] of upstreams()) this.#restarts.reach({ upstream }, restarts);
    const counted = tokens?.();
    if (counted !== undefined) {
      this.#tokensIn.reach({}, counted.tokensIn);
      this.#tokensOut.reach({}, counted.tokensOut);
    }
    return expose([
      this.#calls,
      this.#errors,
      this.#abandoned,
      this.#cuts,
      this.#retrievals,
      this.#writes,
      this.#bytes,
      this.#tokensIn,
      this.#tokensOut,
      this.#durations,
      this.#refusals,
      this.#restarts,
      ...this.#gauges,
      ...processFamilies,
    ]);
  }

  #count(upstream: string, tool: string, facts: CallFacts | undefined): void {
    if (facts === undefined) return this.#abandoned.add({ upstream });
    const {
      ok,
      errorCode = "INTERNAL_ERROR",
      bytes = 0,
      durationMs,
      isCut,
      isArchived,
      answersRetrieval,
    } = facts;
    this.#calls.add({ upstream, tool, outcome: ok ? "success" : "failure" });
    this.#durations.observe({ upstream }, durationMs / 1_000);
    this.#bytes.add({ upstream }, bytes);
    if (!ok) this.#errors.add({ upstream, code: errorCode });
    else if (answersRetrieval === true) this.#retrievals.add({ upstream });
    if (isCut === true) this.#cuts.add({ upstream });
    if (isArchived !== undefined) this.#writes.add({ upstream, outcome: isArchived ? "success" : "failure" });
  }
}

const cpu = new Counter("process_cpu_seconds_total", "Processor time of this process.");

const startedAt = Math.round(Date.now() / 1_000 - process.uptime());

/** Figures of every process, under the names that dashboards expect. */
const processFamilies: readonly Family[] = [
  {
    lines: () => {
      const { user, system } = process.cpuUsage();
      cpu.reach({}, (user + system) / 1_000_000);
      return cpu.lines();
    },
  },
  new Gauge("process_resident_memory_bytes", "Memory of this process.", () => [
    [{}, process.memoryUsage.rss()],
  ]),
  new Gauge("process_start_time_seconds", "When this process started, in seconds since 1970.", () => [
    [{}, startedAt],
  ]),
];

/** Answers a GET of `/metrics`. */
export function metricsPage(
  metrics: GatewayMetrics,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (_request, response) => {
    const body = metrics.text();
    response.writeHead(200, {
      "content-type": EXPOSITION_TYPE,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    response.end(body);
  };
}
