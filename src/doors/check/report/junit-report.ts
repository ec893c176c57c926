// JUnit XML as CI systems read it: the schema junit-10.xsd of Jenkins' xUnit plugin.

import {
  type CheckFinding,
  type CheckReport,
  type ContractChange,
  type RuleOutcome,
  type StaleEntry,
  type VerdictOptions,
  verdictOf,
  whyUntested,
} from "./check-report.ts";
import type { AnswerDifference } from "../record/compare-recorded.ts";
import { groupRules, rulesOf } from "./report-rules.ts";

const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

// XML 1.0 cannot express these characters, not even as references.
const NOT_XML =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeText(text: string): string {
  return text.replaceAll(NOT_XML, "\ufffd").replaceAll(/[&<>\r]/g, (sign) => XML_ENTITIES[sign] ?? "");
}

function escapeAttribute(text: string): string {
  return text.replaceAll(NOT_XML, "\ufffd").replaceAll(/[&<>"\n\r\t]/g, (sign) => XML_ENTITIES[sign] ?? "");
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join("");
}

/** The report as JUnit XML; `strict` turns warnings into failures. */
export function junitReport(report: CheckReport, options: VerdictOptions = {}): string {
  const suites = suitesOf(report, options);
  const all = suites.flatMap(({ cases }) => cases);
  const name = `waybill check ${report.server?.name ?? report.target}`;
  const seconds = (report.durationMs / 1_000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...countsOf(all), time: seconds })}>`,
    ...suites.map((suite, index) => writeSuite(suite, report, index)),
    "</testsuites>",
    "",
  ].join("\n");
}

function countsOf(cases: readonly JunitCase[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: cases.filter(({ error }) => error !== undefined).length,
  };
}

function writeSuite({ name, cases }: JunitSuite, report: CheckReport, index: number): string {
  const { coverage, startedAt, target, era, protocolVersion = "", seed, score } = report;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  // The schema allows no time zone here; the time is UTC.
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, "");
  // Facts about the whole check are given once, in its first suite.
  const facts = {
    coverage: coverage.says,
    target,
    era,
    protocolVersion,
    seed,
    ...(score === null ? {} : { score: score.value }),
  };
  const properties = Object.entries(facts).map(
    ([key, value]) => `      <property${attributes({ name: key, value })}/>`,
  );
  return [
    `  <testsuite${attributes({ name, ...countsOf(cases), skipped, timestamp, id: index })}>`,
    ...(index === 0 ? ["    <properties>", ...properties, "    </properties>"] : []),
    ...cases.map((one) => writeCase(one, name)),
    "  </testsuite>",
  ].join("\n");
}

function writeCase({ name, failure, error, skipped, output }: JunitCase, suite: string): string {
  const inner = [
    ...(skipped === undefined ? [] : [`      <skipped${attributes({ message: skipped })}/>`]),
    ...writeProblem("failure", failure),
    ...writeProblem("error", error),
    ...(output === undefined ? [] : [`      <system-out>${escapeText(output)}</system-out>`]),
  ];
  const open = `    <testcase${attributes({ name, classname: `waybill.${suite}`, time: 0 })}`;
  return inner.length === 0 ? `${open}/>` : [`${open}>`, ...inner, "    </testcase>"].join("\n");
}

function writeProblem(element: "failure" | "error", problem: JunitProblem | undefined): readonly string[] {
  if (problem === undefined) return [];
  const { type, message, text } = problem;
  return [`      <${element}${attributes({ type, message })}>${escapeText(text)}</${element}>`];
}

// A check as test suites: a rule is a test case, its group a suite. JUnit has no warnings, so findings that do not fail
// the check are output of their test case.

interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

interface JunitCase {
  readonly name: string;
  readonly failure?: JunitProblem | undefined;
  readonly error?: JunitProblem | undefined;
  readonly skipped?: string | undefined;
  readonly output?: string | undefined;
}

interface JunitProblem {
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/** The test suites of a report: the server itself, a suite for each group of rules, baseline, contract. */
function suitesOf(report: CheckReport, options: VerdictOptions): readonly JunitSuite[] {
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

/** Uncalled tools are not a failure, unless nothing else is known about the server's results. */
function calledCase(report: CheckReport): JunitCase {
  const { coverage } = report;
  const message = whyUntested(report);
  if (message !== undefined)
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
