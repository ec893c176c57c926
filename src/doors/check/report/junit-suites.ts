// A check as test suites: a rule is a test case, its group a suite. JUnit knows no warnings, so findings that do not fail
// the check are output of their case.

import type { CheckFinding, CheckReport, ContractChange, RuleOutcome, StaleEntry } from "./check-report.ts";
import type { AnswerDifference } from "../record/compare-recorded.ts";
import { isUntested } from "./coverage.ts";
import { groupRules, rulesOf } from "./report-rules.ts";
import { type VerdictOptions, verdictOf } from "./verdict.ts";

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

export interface JunitCase {
  readonly name: string;
  readonly failure?: JunitProblem | undefined;
  readonly error?: JunitProblem | undefined;
  readonly skipped?: string | undefined;
  readonly output?: string | undefined;
}

export interface JunitProblem {
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/** What a report says as test suites: the server itself, a suite for each group of rules, baseline, contract. */
export function suitesOf(report: CheckReport, options: VerdictOptions): readonly JunitSuite[] {
  const ruled = Array.from(groupRules(rulesOf(report)), ([name, rules]) => ({
    name,
    cases: rules.map((rule) => caseOf(rule, report.findings, options)),
  }));
  const suites: readonly JunitSuite[] = [
    { name: "server", cases: reachCases(report, options) },
    ...ruled,
    { name: "record", cases: (report.differences ?? []).map(differenceCase) },
    { name: "baseline", cases: (report.stale ?? []).map(staleCase) },
    { name: "contract", cases: (report.changes ?? []).map(changeCase) },
  ];
  return suites.filter(({ cases }) => cases.length > 0);
}

function differenceCase({ file, path, message }: AnswerDifference): JunitCase {
  return { name: `${file} ${path}`.trimEnd(), failure: { type: "difference", message, text: message } };
}

function staleCase({ rule, tool = "the server", path }: StaleEntry): JunitCase {
  const message = "This known failure is gone: take it out of the baseline.";
  return { name: `${rule} ${tool} ${path}`.trimEnd(), failure: { type: "stale", message, text: message } };
}

function changeCase({ kind, tool = "the server", path, message }: ContractChange): JunitCase {
  const name = `${tool} ${path}`.trimEnd();
  if (kind === "harmless") return { name, output: `harmless: ${message}` };
  return { name, failure: { type: kind, message, text: message } };
}

function reachCases(report: CheckReport, options: VerdictOptions): readonly JunitCase[] {
  const { outcome } = verdictOf(report, options);
  const { stopped, isComplete } = report;
  const text = stopped ?? "";
  if (outcome === "unreachable")
    return [
      { name: "reached", error: { type: "unreachable", message: "The server could not be reached.", text } },
    ];
  const finished: JunitCase = isComplete
    ? { name: "check finished" }
    : options.strict === true
      ? { name: "check finished", error: { type: "stopped", message: "The check was not finished.", text } }
      : { name: "check finished", output: `The check was not finished. ${text}`.trimEnd() };
  return [{ name: "reached" }, calledCase(report), finished];
}

/** Tools that were not called are no failure, unless nothing else is known of the server's answers. */
function calledCase(report: CheckReport): JunitCase {
  const { coverage } = report;
  const message = "Nothing was tested: no tool was called.";
  if (isUntested(report))
    return { name: "tools called", failure: { type: "untested", message, text: coverage.says } };
  return { name: "tools called", output: coverage.says };
}

function caseOf(
  rule: RuleOutcome,
  findings: readonly CheckFinding[],
  { strict = false }: VerdictOptions,
): JunitCase {
  const { id: name, status, because = "not said why" } = rule;
  if (status === "untested") return { name, skipped: because };
  const own = findings.filter((finding) => finding.rule === name);
  const fails = ({ severity, isKnown }: CheckFinding): boolean =>
    !isKnown && (severity === "error" || (strict && severity === "warning"));
  const failing = own.filter(fails);
  const rest = own.filter((finding) => !fails(finding));
  const [first] = failing;
  const more = failing.length > 1 ? ` (and ${failing.length - 1} more)` : "";
  return {
    name,
    failure:
      first === undefined
        ? undefined
        : { type: first.severity, message: titleOf(first) + more, text: failing.map(describe).join("\n\n") },
    output: rest.length === 0 ? undefined : rest.map(describe).join("\n\n"),
  };
}

function titleOf({ tool, message }: CheckFinding): string {
  return tool === undefined ? message : `${tool}: ${message}`;
}

function describe(finding: CheckFinding): string {
  const { severity, isKnown, path, fix, source, call } = finding;
  return [
    `${isKnown ? "known " : ""}${severity}: ${titleOf(finding)}`,
    ...(path === "" ? [] : [`at ${path}`]),
    `fix: ${fix}`,
    `source: ${source}`,
    ...(call === undefined
      ? []
      : [`call: ${call.tool} ${JSON.stringify(call.arguments)}`, `answer: ${call.replyExcerpt}`]),
  ].join("\n");
}
