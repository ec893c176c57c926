import { isJsonObject } from "../../core/json/json-value.ts";
import type { CallRecord, Reply, ServerRecord, ToolRecord } from "../../core/rules/server-record.ts";
import type { Finding } from "../../core/rules/server-rule.ts";
import type { Redactor } from "../../core/text/redact-secrets.ts";
import { findingSeverities, severityOf } from "../../core/rules/finding-severity.ts";
import { type Judged, findingsOf } from "./judge.ts";
import type {
  CheckFinding,
  CheckReport,
  RuleOutcome,
  ShownCall,
  ToolOutcome,
} from "./report/check-report.ts";
import { isGood } from "./probe/follow-up.ts";
import type { Smaller } from "./probe/shrink.ts";
import { coverageOf } from "./report/coverage.ts";
import { scoreOf } from "./score.ts";

const MAX_EXCERPT = 500;

/** How a check went, beside what it saw. */
export interface Circumstances {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly seed: number;
  readonly stopped: string | undefined;
  readonly definitionsOnly: boolean;
  /** Smaller calls that show the same. */
  readonly smaller: ReadonlyMap<Finding, Smaller>;
  /** Reports are sent around, so secrets in them are masked. */
  readonly redactor: Redactor;
}

function describeReply(reply: Reply): string {
  if (reply.kind === "result") return JSON.stringify(reply.result);
  if (reply.kind === "error") return JSON.stringify({ error: reply.error });
  if (reply.kind === "timeout") return `no answer in ${Math.round(reply.afterMs)} ms`;
  return reply.kind === "closed" ? reply.reason : `an answer of ${reply.bytes} bytes, which was not read`;
}

/** The beginning of what came back, cut when it is masked already: half of a secret no longer looks like one. */
function excerptOf(reply: Reply): string {
  const text = describeReply(reply);
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 1)}…` : text;
}

function shownCall({ tool, arguments: args, purpose, reply }: CallRecord): ShownCall {
  return { tool, arguments: args, purpose, replyExcerpt: excerptOf(reply) };
}

function toFindings(
  judged: readonly Judged[],
  record: ServerRecord,
  { smaller, redactor }: Circumstances,
): CheckFinding[] {
  const found = judged.flatMap(({ rule, verdict }) =>
    findingsOf(verdict).map((finding): CheckFinding => {
      const less = smaller.get(finding);
      const call = less === undefined ? record.calls[finding.call ?? -1] : redactor.json(less.call).value;
      return {
        rule: rule.id,
        severity: severityOf(rule),
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

function toOutcome({ rule, verdict }: Judged): RuleOutcome {
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
    notProbed,
    remedy,
    findings: findings.filter(({ tool }) => tool === name).length,
  };
}

/** Who the server says it is: in its greeting, or in the `_meta` of a modern one. */
function serverOf({ greeting }: ServerRecord): CheckReport["server"] {
  if (greeting.kind !== "result") return null;
  const { serverInfo, _meta: meta } = greeting.result;
  const inMeta = isJsonObject(meta) ? meta["io.modelcontextprotocol/serverInfo"] : undefined;
  const info = [serverInfo, inMeta].find(isJsonObject);
  const { name, version } = info ?? {};
  if (typeof name !== "string") return null;
  return { name, version: typeof version === "string" ? version : "" };
}

function countOf(findings: readonly CheckFinding[], severity: CheckFinding["severity"]): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Tells what the rules found in a record, with the secrets of either masked. */
export function makeReport(judged: readonly Judged[], record: ServerRecord, how: Circumstances): CheckReport {
  const findings = toFindings(judged, record, how);
  const rules = judged.map(toOutcome);
  const tools = record.tools.map((tool) => toToolOutcome(tool, record, findings));
  const isReachable = record.greeting.kind === "result";
  const coverage = coverageOf(tools, { isReachable, definitionsOnly: how.definitionsOnly });
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
    calls: record.calls.length,
    succeeded: record.calls.filter(isGood).length,
    isComplete: how.stopped === undefined,
    stopped: how.stopped,
  };
  return how.redactor.json(report).value;
}
