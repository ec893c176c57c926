// Checks a server: the probe records, the rules judge, the report tells. Nothing it starts outlives it, and nothing a
// server does can make it wait longer than its limits say.

import { serverRules } from "../../core/rules/server-rules.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import type { CheckOptions, CheckProgress, CheckRun, CheckTarget } from "./check-options.ts";
import type { CheckReport } from "./report/check-report.ts";
import { checkRequest, limitsOf } from "./check-settings.ts";
import { judgeRecord } from "./judge.ts";
import { makeReport } from "./make-report.ts";
import { LiveServer } from "./probe/live-server.ts";
import { wayTo } from "./probe/open-link.ts";
import { probeServer } from "./probe/probe-server.ts";
import { Recorder } from "./probe/recorder.ts";
import { shrinkFindings } from "./probe/shrink.ts";
import { judgeBySchema } from "./schema/schema-judge.ts";
import { redactorFor } from "./target-secrets.ts";

/** The revision of the checker that servers get to see. */
const CLIENT_VERSION = "1";
const DEFAULT_SEED = 1;
/** By so much a timer may be wrong. */
const TIMER_MS = 5;

/** When a check has to end, and why it did. */
class Clock {
  readonly #endsAt: number;
  readonly #totalMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #recorder: Recorder;

  constructor(totalMs: number, signal: AbortSignal | undefined, recorder: Recorder) {
    this.#totalMs = totalMs;
    this.#endsAt = performance.now() + totalMs;
    this.#signal = signal;
    this.#recorder = recorder;
  }

  get leftMs(): number {
    const leftMs = this.#endsAt - performance.now();
    // A timer may be early by a little.
    return this.#signal?.aborted === true || leftMs < TIMER_MS ? 0 : leftMs;
  }

  get stopped(): string | undefined {
    if (this.#signal?.aborted === true) return "the check was told to stop";
    if (this.leftMs === 0) return `the time for the whole check, ${Math.round(this.#totalMs)} ms, is over`;
    return this.#recorder.isFull ? "the answers together are too large to be kept" : undefined;
  }
}

/** A check with all that it saw. */
export async function runCheck(target: CheckTarget, options: CheckOptions = {}): Promise<CheckRun> {
  checkRequest(target, options);
  const { seed = DEFAULT_SEED, all, only, args, definitionsOnly, era, dialect, signal, onProgress } = options;
  const limits = limitsOf(options);
  const startedAt = new Date();
  const redactor = redactorFor(target);
  const recorder = new Recorder(redactor);
  const clock = new Clock(limits.totalMs, signal, recorder);
  const tell = (progress: Omit<CheckProgress, "elapsedMs">): void =>
    onProgress?.({ ...progress, elapsedMs: recorder.elapsedMs });
  const counter = await loadCounter();
  const tools = { validate: judgeBySchema, countTokens: (text: string) => counter.count(text) };
  const way = wayTo(target, options, limits, redactor);
  const server = new LiveServer({
    way,
    limits,
    era,
    clientVersion: CLIENT_VERSION,
    recorder,
    leftMs: () => clock.leftMs,
  });
  const caller = {
    server,
    recorder,
    countTokens: (text: string, limit?: number) => counter.count(text, limit),
    isOver: () => clock.stopped !== undefined || server.gone !== undefined,
  };
  const giveUp = (): void => void server.close();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    tell({ phase: "connect", done: 0, planned: 1 });
    const hasStarted = await server.start();
    const probing = { seed, all, only, args, definitionsOnly, limits, validate: tools.validate };
    const probe = { ...caller, way, options: probing, dialect, stopped: () => clock.stopped, tell };
    const record = await probeServer(probe, hasStarted);
    tell({ phase: "judge", done: 0, planned: 1 });
    const judged = await judgeRecord(serverRules, record, tools);
    const reason = hasStarted ? server.gone : (record.problems.at(-1)?.message ?? server.gone);
    const stopped = clock.stopped ?? reason;
    const smaller = await shrinkFindings(judged, { caller, record, tools });
    const durationMs = recorder.elapsedMs;
    // The rules see what the server said, since a secret is a finding; everybody else sees it masked.
    const shown = redactor.json(record).value;
    const report = makeReport(judged, shown, {
      startedAt,
      durationMs,
      seed,
      stopped,
      definitionsOnly: definitionsOnly === true,
      smaller,
      redactor,
    });
    tell({ phase: "judge", done: 1, planned: 1 });
    return { report, record: shown };
  } finally {
    signal?.removeEventListener("abort", giveUp);
    await server.close();
  }
}

/**
 * Connects to a server, lists its tools, calls those that may be called, and judges what came back. It throws only at
 * options that are wrong: a server that cannot be reached is a report with `isReachable: false`.
 *
 * @example
 * const report = await checkServer({ command: "node", args: ["server.js"] });
 * console.log(report.coverage.says, report.score?.value, report.findings.map(({ rule, message }) => `${rule}: ${message}`));
 */
export async function checkServer(target: CheckTarget, options: CheckOptions = {}): Promise<CheckReport> {
  const { report } = await runCheck(target, options);
  return report;
}
