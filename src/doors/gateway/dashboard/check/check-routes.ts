import { object, text } from "../../../../core/options/option-kinds.ts";
import {
  type ApiRequest,
  type ApiRoute,
  type RunCheck,
  type TellPages,
  type WatchedGateway,
  upstreamNamed,
  upstreamsByName,
  ApiProblem,
  type WatchedUpstream,
} from "../dashboard-parts.ts";
import type { ChecksReport, CheckSummary, CheckView } from "../protocol/places.ts";
import { readPostBody } from "../serve/api-answer.ts";

const checkBody = object({ upstream: text });

/** Checks of the gateway's servers, by the checker that was given, until `closing` is aborted. */
export function checkRoutes(
  gateway: WatchedGateway,
  runCheck: RunCheck | undefined,
  tell: TellPages,
  closing: AbortSignal,
): readonly ApiRoute[] {
  const jobs = new CheckJobs(runCheck, tell);
  closing.addEventListener("abort", () => jobs.close(), { once: true });
  const report = (): ChecksReport => {
    const names = new Set(upstreamsByName(gateway).keys());
    jobs.keepOnly(names);
    return { checks: Array.from(names, (name) => jobs.view(name)) };
  };
  const start = ({ body }: ApiRequest): ChecksReport => {
    jobs.start(upstreamNamed(gateway, readPostBody(checkBody, body).upstream));
    return report();
  };
  const stop = ({ body }: ApiRequest): ChecksReport => {
    jobs.stop(upstreamNamed(gateway, readPostBody(checkBody, body).upstream).name);
    return report();
  };
  return [
    { method: "GET", path: "/api/check", answer: report },
    { method: "POST", path: "/api/check", needs: "actions", answer: start },
    { method: "POST", path: "/api/check/stop", needs: "actions", answer: stop },
  ];
}

/** Checks start servers and call their tools: more at once would slow down the calls of clients. */
const MAX_RUNNING = 4;
/** Progress is sent at most this often; the end is sent at once. */
const TELL_MS = 200;

interface Job {
  readonly stop: AbortController;
  view: CheckView;
}

type Upstream = Pick<WatchedUpstream, "name" | "state">;

/** What servers say about themselves may contain a key, as in the log. */
function masked(report: CheckSummary, mask: (text: string) => string): CheckSummary {
  return {
    ...report,
    coverage: report.coverage === undefined ? undefined : mask(report.coverage),
    findings: report.findings.map((finding) => ({
      ...finding,
      message: mask(finding.message),
      fix: mask(finding.fix),
    })),
  };
}

/** The last check of each upstream; one at a time for each. */
class CheckJobs {
  readonly #run: RunCheck | undefined;
  readonly #tell: TellPages;
  readonly #jobs = new Map<string, Job>();
  #isClosed = false;

  constructor(run: RunCheck | undefined, tell: TellPages) {
    this.#run = run;
    this.#tell = tell;
  }

  view(upstream: string): CheckView {
    return this.#jobs.get(upstream)?.view ?? { upstream, state: "never", says: "It was not checked yet." };
  }

  start(upstream: Upstream): void {
    const run = this.#run;
    const { name } = upstream;
    if (run === undefined)
      throw new ApiProblem(
        "not-found",
        "This gateway has no checker.",
        "Start it with `waybill gateway`, or give createGateway `dashboard: { check }`.",
      );
    const running = [...this.#jobs.values()].filter(({ view }) => view.state === "running");
    if (this.#jobs.get(name)?.view.state === "running")
      throw new ApiProblem("busy", `${name} is being checked.`, "Wait for it, or stop it first.");
    if (running.length >= MAX_RUNNING || this.#isClosed)
      throw new ApiProblem("busy", `${running.length} checks run already.`, "Wait for one of them.");
    const startedAtMs = Date.now();
    const before = this.#jobs.get(name)?.view.report;
    const job: Job = {
      stop: new AbortController(),
      view: { upstream: name, state: "running", says: "It starts.", startedAtMs, report: before },
    };
    this.#jobs.set(name, job);
    this.#tell("check", { upstream: name, state: "running", says: job.view.says, done: 0, total: 0 });
    void this.#finish(upstream, job, run);
  }

  /** The checker judges what it has so far. */
  stop(upstream: string): void {
    this.#jobs.get(upstream)?.stop.abort();
  }

  close(): void {
    this.#isClosed = true;
    for (const { stop } of this.#jobs.values()) stop.abort();
  }

  /** Checks of removed upstreams are removed too. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const [name, { stop }] of this.#jobs) {
      if (names.has(name)) continue;
      stop.abort();
      this.#jobs.delete(name);
    }
  }

  async #finish({ name, state }: Upstream, job: Job, run: RunCheck): Promise<void> {
    const { startedAtMs } = job.view;
    let toldAtMs = 0;
    const end = (ended: "done" | "failed", says: string, report?: CheckSummary): void => {
      job.view = { upstream: name, state: ended, says, startedAtMs, report };
      this.#tell("check", { upstream: name, state: ended, says, done: 1, total: 1 });
    };
    const progress: Parameters<RunCheck>[1] = (says, done, total) => {
      if (job.view.state !== "running") return;
      job.view = { ...job.view, says };
      const now = Date.now();
      if (now - toldAtMs < TELL_MS) return;
      toldAtMs = now;
      this.#tell("check", { upstream: name, state: "running", says, done, total });
    };
    try {
      const report = await run(name, progress, job.stop.signal);
      const how = job.stop.signal.aborted ? "It was stopped early" : "It is done";
      const points = report.score === null ? "there is no score" : `${report.score} of 100 points`;
      end("done", `${how}: ${points}.`, masked(report, state.mask));
    } catch (error) {
      end("failed", state.mask(error instanceof Error ? error.message : "The check failed."));
    }
  }
}
