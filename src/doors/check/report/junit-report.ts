// JUnit XML as CI systems read it: the schema junit-10.xsd of Jenkins' xUnit plugin.

import type { CheckReport } from "./check-report.ts";
import { type JunitCase, type JunitProblem, type JunitSuite, suitesOf } from "./junit-suites.ts";
import type { VerdictOptions } from "./verdict.ts";

const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

// XML 1.0 has no way at all to write these characters, not even as references.
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

/** The report as JUnit XML; `strict` makes failures of warnings. */
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
  // The schema wants no time zone here; the time is UTC.
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, "");
  // What holds for the whole check is said once, in its first suite.
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
