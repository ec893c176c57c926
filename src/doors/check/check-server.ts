// Checks a server: the probe records, the rules judge, the report shows the results. Nothing that the check starts
// outlives it, and no server can make it wait longer than its limits.

import { serverRules } from "../../core/rules/server-rules.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import type { CheckOptions, CheckProgress, CheckRun, CheckTarget } from "./check-options.ts";
import {
  type CheckFinding,
  type CheckReport,
  type RuleOutcome,
  type ShownCall,
  type ToolOutcome,
  coverageOf,
} from "./report/check-report.ts";
import { checkCheckOptions, limitsOf } from "./check-settings.ts";
import { type JudgedRule, findingsOf, judgeRecord, scoreOf } from "./judge.ts";
import { LiveServer, wayTo } from "./probe/live-server.ts";
import { probeServer } from "./probe/probe-server.ts";
import { Recorder } from "./probe/recorder.ts";
import { shrinkFindings, type Smaller } from "./probe/shrink.ts";
import { judgeBySchema } from "./schema/schema-judge.ts";
import { redactorFor } from "./target-secrets.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import type { CallRecord, RecordedReply, ServerRecord, ToolRecord } from "../../core/rules/server-record.ts";
import { type RuleFinding, findingSeverities, findingSeverity } from "../../core/rules/server-rule.ts";
import type { Redactor } from "../../core/text/redact/redact-secrets.ts";
import { isGood, isRetrieval } from "./probe/call-tool.ts";
import { failureStartOf } from "../../core/rules/failure-start.ts";
import { mcpMeta } from "../../core/protocol/names.ts";

/** The version of the checker that servers see. */
const CLIENT_VERSION = "1";
const DEFAULT_SEED = 1;
/** A timer may be wrong by this much. */
const TIMER_MS = 5;

/** When a check has to end, and why it ended. */
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
    // A timer may fire slightly early.
    return this.#signal?.aborted === true || leftMs < TIMER_MS ? 0 : leftMs;
  }

  get stopped(): string | undefined {
    if (this.#signal?.aborted === true) return "the check was told to stop";
    if (this.leftMs === 0) return `the time for the whole check, ${Math.round(this.#totalMs)} ms, is over`;
    return this.#recorder.isFull ? "the answers together are too large to be kept" : undefined;
  }
}

/** Runs a check and returns it with its record. */
export async function runCheck(target: CheckTarget, options: CheckOptions = {}): Promise<CheckRun> {
  checkCheckOptions(target, options);
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
    reads: [],
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
    // The rules see what the server said, since a secret is a finding; every other reader sees it masked.
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
 * Connects to a server, lists its tools, calls those that may be called, and judges the answers. It throws only if
 * options are wrong: a server that cannot be reached is a report with `isReachable: false`.
 *
 * @example
 * const report = await checkServer({ command: "node", args: ["server.js"] });
 * console.log(report.coverage.says, report.score?.value, report.findings.map(({ rule, message }) => `${rule}:
 * ${message}`));
 */
export async function checkServer(target: CheckTarget, options: CheckOptions = {}): Promise<CheckReport> {
  const { report } = await runCheck(target, options);
  return report;
}

const MAX_EXCERPT = 500;

/** How a check went, besides its record. */
interface Circumstances {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly seed: number;
  readonly stopped: string | undefined;
  readonly definitionsOnly: boolean;
  /** Smaller calls that show the same findings. */
  readonly smaller: ReadonlyMap<RuleFinding, Smaller>;
  /** Reports are passed on to others, so secrets in them are masked. */
  readonly redactor: Redactor;
}

function describeReply(reply: RecordedReply): string {
  if (reply.kind === "result") return JSON.stringify(reply.result);
  if (reply.kind === "error") return JSON.stringify({ error: reply.error });
  if (reply.kind === "timeout") return `no answer in ${Math.round(reply.afterMs)} ms`;
  return reply.kind === "closed" ? reply.reason : `an answer of ${reply.bytes} bytes, which was not read`;
}

/** The beginning of the reply. The reply is masked before it is cut: half of a secret no longer looks like a secret. */
function excerptOf(reply: RecordedReply): string {
  const text = describeReply(reply);
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 1)}…` : text;
}

function shownCall({ tool, arguments: args, purpose, reply }: CallRecord): ShownCall {
  return { tool, arguments: args, purpose, replyExcerpt: excerptOf(reply) };
}

function toFindings(
  judged: readonly JudgedRule[],
  record: ServerRecord,
  { smaller, redactor }: Circumstances,
): CheckFinding[] {
  const found = judged.flatMap(({ rule, verdict }) =>
    findingsOf(verdict).map((finding): CheckFinding => {
      const less = smaller.get(finding);
      const call = less === undefined ? record.calls[finding.call ?? -1] : redactor.json(less.call).value;
      return {
        rule: rule.id,
        severity: findingSeverity(rule),
        tool: finding.tool,
        path: less?.finding.path ?? finding.path,
        message: less?.finding.message ?? finding.message,
        fix: rule.fix,
        source: rule.source,
        isKnown: false,
        call: call && shownCall(call),
      };
    }),
  );
  const rank = ({ severity }: CheckFinding): number => findingSeverities.indexOf(severity);
  return found.sort((one, other) => rank(one) - rank(other));
}

function toOutcome({ rule, verdict }: JudgedRule): RuleOutcome {
  if ("untested" in verdict)
    return { id: rule.id, status: "untested", because: verdict.untested, findings: 0 };
  return { id: rule.id, status: verdict.length === 0 ? "passed" : "failed", findings: verdict.length };
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? undefined : Math.round(middle * 10) / 10;
}

function toToolOutcome(
  { name, tokens, notProbed, remedy }: ToolRecord,
  record: ServerRecord,
  findings: readonly CheckFinding[],
): ToolOutcome {
  const calls = record.calls.filter(({ tool }) => tool === name);
  const answered = calls.filter(({ reply }) => reply.kind === "result" || reply.kind === "error");
  const largest = (sizes: readonly number[]): number => Math.max(0, ...sizes);
  return {
    name,
    definitionTokens: tokens,
    calls: calls.length,
    succeeded: calls.filter(isGood).length,
    medianMs: medianOf(answered.map(({ durationMs }) => durationMs)),
    maxResultTokens: largest(calls.map((call) => call.tokens.text + call.tokens.structured)),
    maxResultBytes: largest(calls.map(({ bytes }) => bytes)),
    failureStart: failureStartOf(record, name),
    notProbed,
    remedy,
    findings: findings.filter(({ tool }) => tool === name).length,
  };
}

/** The name and version of the server: from its greeting, or from the `_meta` of a modern greeting. */
function serverOf({ greeting }: ServerRecord): CheckReport["server"] {
  if (greeting.kind !== "result") return null;
  const { serverInfo, _meta: meta } = greeting.result;
  const inMeta = isJsonObject(meta) ? meta[mcpMeta.serverInfo] : undefined;
  const info = [serverInfo, inMeta].find(isJsonObject);
  const { name, version } = info ?? {};
  if (typeof name !== "string") return null;
  return { name, version: typeof version === "string" ? version : "" };
}

function countOf(findings: readonly CheckFinding[], severity: CheckFinding["severity"]): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Reports what the rules found in a record, with secrets masked in both. */
function makeReport(judged: readonly JudgedRule[], record: ServerRecord, how: Circumstances): CheckReport {
  const findings = toFindings(judged, record, how);
  const rules = judged.map(toOutcome);
  const tools = record.tools.map((tool) => toToolOutcome(tool, record, findings));
  // The call of a tool that does not exist is no call of a tool.
  const ofTools = record.calls.filter(({ purpose }) => purpose !== "unknown-tool");
  const isReachable = record.greeting.kind === "result";
  const apart = record.tools.filter(isRetrieval).map(({ name }) => name);
  const coverage = coverageOf(tools, { isReachable, definitionsOnly: how.definitionsOnly, apart });
  const report: CheckReport = {
    coverage,
    target: record.target,
    transport: record.transport,
    era: record.era,
    protocolVersion: record.protocolVersion,
    server: serverOf(record),
    isReachable,
    startedAt: how.startedAt.toISOString(),
    durationMs: Math.round(how.durationMs),
    seed: how.seed,
    score: scoreOf({ findings, coverage }),
    counts: {
      error: countOf(findings, "error"),
      warning: countOf(findings, "warning"),
      info: countOf(findings, "info"),
      passed: rules.filter(({ status }) => status === "passed").length,
      untested: rules.filter(({ status }) => status === "untested").length,
      known: 0,
    },
    findings,
    rules,
    tools,
    list: { tools: record.tools.length, tokens: record.tools.reduce((sum, { tokens }) => sum + tokens, 0) },
    calls: ofTools.length,
    succeeded: ofTools.filter(isGood).length,
    isComplete: how.stopped === undefined,
    stopped: how.stopped,
  };
  return how.redactor.json(report).value;
}
