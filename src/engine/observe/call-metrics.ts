// The calls of a process in numbers for Prometheus, and the page that shows them. A gateway adds its own numbers.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallFacts, CallListener } from "./call-facts.ts";
import {
  Counter,
  EXPOSITION_TYPE,
  type Family,
  Gauge,
  HistogramFamily,
  type Labels,
  expose,
} from "./exposition.ts";

/** Seconds; a tool call takes from a few milliseconds to minutes. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What became of tool calls, under the labels that each listener gives. */
export class CallMetrics {
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
  readonly #durations = new HistogramFamily(
    "waybill_call_duration_seconds",
    "Time of a tool call.",
    DURATION_BOUNDS,
  );

  readonly families: readonly Family[] = [
    this.#calls,
    this.#errors,
    this.#abandoned,
    this.#cuts,
    this.#retrievals,
    this.#writes,
    this.#bytes,
    this.#durations,
  ];

  /** Counts the calls of one contract under these labels. */
  listener(labels: Labels): CallListener {
    return {
      start: ({ tool }) => ({ end: (facts) => this.#count(labels, tool, facts) }),
    };
  }

  #count(labels: Labels, tool: string, facts: CallFacts | undefined): void {
    if (facts === undefined) return this.#abandoned.add(labels);
    const {
      ok,
      errorCode = "INTERNAL_ERROR",
      bytes = 0,
      durationMs,
      isCut,
      isArchived,
      answersRetrieval,
    } = facts;
    this.#calls.add({ ...labels, tool, outcome: ok ? "success" : "failure" });
    this.#durations.observe(labels, durationMs / 1_000);
    this.#bytes.add(labels, bytes);
    if (!ok) this.#errors.add({ ...labels, code: errorCode });
    else if (answersRetrieval === true) this.#retrievals.add(labels);
    if (isCut === true) this.#cuts.add(labels);
    if (isArchived !== undefined)
      this.#writes.add({ ...labels, outcome: isArchived ? "success" : "failure" });
  }
}

/** Figures of every process, under the names that dashboards expect. */
export function processFamilies(): readonly Family[] {
  const cpu = new Counter("process_cpu_seconds_total", "Processor time of this process.");
  const startedAt = Math.round(Date.now() / 1_000 - process.uptime());
  return [
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
}

export type MetricsPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers a GET or HEAD of `/metrics` with what `families` has then. */
export function metricsPage(families: () => readonly Family[] | Promise<readonly Family[]>): MetricsPage {
  return async ({ method }, response) => {
    if (method !== "GET" && method !== "HEAD")
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    const body = expose(await families());
    response.writeHead(200, {
      "content-type": EXPOSITION_TYPE,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    return void response.end(body);
  };
}

/** The page of one server: its calls from now on, and its process. */
export function callsPage(listen: (listener: CallListener) => unknown): MetricsPage {
  const calls = new CallMetrics();
  const families = [...calls.families, ...processFamilies()];
  listen(calls.listener({}));
  return metricsPage(() => families);
}
