import {
  type CheckFinding,
  type CheckReport,
  type VerdictOptions,
  sayCalled,
  sayNotCalled,
  verdictOf,
  whyUnscored,
  whyUntested,
} from "../../doors/check/report/check-report.ts";
import { type FindingSeverity, groupOf } from "../../core/rules/server-rule.ts";
import { alignRows, countOf, formatBytes, printable, shellWord, wrapText } from "../output/format-values.ts";
import type { Paint } from "../report.ts";
import type { CheckTarget } from "../../doors/check/check-options.ts";
import { createPolicy } from "../../doors/check/policy/create-policy.ts";
import { shownWords } from "../../doors/check/target-secrets.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { ReportChoice } from "../declare/option-values.ts";

interface PrintOptions extends VerdictOptions {
  readonly columns?: number | undefined;
  /** The next command, as it is typed. */
  readonly next?: string | undefined;
  /** Every untested rule with its reason; else one line says how many there are, and what would try them. */
  readonly verbose?: boolean | undefined;
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 40;
const MAX_COLUMNS = 110;
const BAR_CELLS = 20;
const MAX_PLACES = 3;
const MAX_RULES = 40;
const MAX_TOOLS = 8;
const MAX_REASONS = 6;
const MAX_IDS = 6;

const titles: Readonly<Record<FindingSeverity, string>> = {
  error: "Errors",
  warning: "Warnings",
  info: "Remarks",
};

const grouped = (amount: number): string => amount.toLocaleString("en-US");

/** A report for people: what was called, failed and found; then costs, what was not tried, and the next step. */
export function printCheck(report: CheckReport, options: PrintOptions, paint: Paint): string {
  const columns = Math.min(Math.max(options.columns ?? DEFAULT_COLUMNS, MIN_COLUMNS), MAX_COLUMNS);
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[paint.bold(title), ...lines].join("\n")];
  const { findings } = report;
  const fresh = findings.filter(({ isKnown }) => !isKnown);
  const of = (severity: FindingSeverity): readonly CheckFinding[] =>
    fresh.filter((finding) => finding.severity === severity);
  const severities = (["error", "warning", "info"] as const).flatMap((severity) => {
    const colour = { error: paint.red, warning: paint.yellow, info: paint.cyan }[severity];
    const own = of(severity);
    return own.length === 0
      ? []
      : [
          [
            colour(paint.bold(`${titles[severity]} (${own.length})`)),
            ...printFindings(own, columns, paint),
          ].join("\n"),
        ];
  });
  return [
    printFound(report, columns, paint),
    printHead(report, columns, paint),
    printScore(report, paint),
    ...severities,
    ...part("Recorded answers that differ", printDifferences(report, columns)),
    ...part("Changes since the snapshot", printChanges(report, columns, paint)),
    ...part("Stale entries of the baseline: take them out", printStale(report)),
    ...part("Most tokens", printTools(report)),
    ...printUntried(report, options, columns, paint),
    printEnd(report, options, paint),
  ].join("\n\n");
}

/** The first lines: how many tools were called, how their calls ended, and how much was found. */
function printFound(report: CheckReport, columns: number, paint: Paint): string {
  const { coverage, counts, calls, succeeded, durationMs, isReachable } = report;
  const isUnscored = whyUnscored(report) !== undefined;
  const seconds = (durationMs / 1_000).toFixed(1);
  const ended = `${countOf(calls, "call")} in ${seconds} s, ${succeeded} succeeded, ${calls - succeeded} failed or were refused`;
  const failing = isUnscored ? [] : neverSucceeded(report);
  const amount = counts.error + counts.warning + counts.info;
  const severities = [
    countOf(counts.error, "error"),
    countOf(counts.warning, "warning"),
    countOf(counts.info, "remark"),
  ];
  const lines = [
    isUnscored ? coverage.says : `${sayCalled(coverage)}: ${ended}`,
    ...(failing.length === 0
      ? []
      : [`No call succeeded of ${shownNames(failing)}: --args <file> gives arguments that work`]),
    ...(isReachable ? [`${countOf(amount, "finding")}: ${severities.join(", ")}`] : []),
  ];
  return lines
    .flatMap((line) => wrapText(line, columns))
    .map((line) => (isUnscored ? paint.yellow(line) : line))
    .join("\n");
}

/** The called tools of which no call succeeded. Retrieval cannot succeed if nothing was cut. */
function neverSucceeded({ tools, coverage }: CheckReport): readonly string[] {
  return tools
    .filter(({ name, calls, succeeded }) => calls > 0 && succeeded === 0 && !coverage.apart.includes(name))
    .map(({ name }) => name);
}

function shownNames(names: readonly string[]): string {
  const more = names.length - MAX_PLACES;
  return `${names.slice(0, MAX_PLACES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function printHead(report: CheckReport, columns: number, paint: Paint): string {
  const { server, target, transport, protocolVersion, list } = report;
  const name = server === null ? target : `${server.name} ${server.version}`.trimEnd();
  const facts = [
    transport === "stdio" ? "stdio" : "HTTP",
    ...(protocolVersion === undefined ? [] : [`MCP ${protocolVersion}`]),
    `${countOf(list.tools, "tool")} with ${grouped(list.tokens)} tokens`,
  ];
  return [
    ...wrapText(name, columns).map((line) => paint.bold(line)),
    ...wrapText(facts.join(", "), columns).map((line) => paint.dim(line)),
  ].join("\n");
}

function printScore(report: CheckReport, paint: Paint): string {
  const { score, rules, stopped } = report;
  const tested = `${rules.filter(({ status }) => status !== "untested").length} of ${countOf(rules.length, "rule")} tested`;
  const end = stopped === undefined ? [] : [paint.yellow(`Not finished: ${printable(stopped)}`)];
  if (score === null) return [`No score: ${whyUnscored(report) ?? ""}  ${tested}`, ...end].join("\n");
  const filled = Math.round((score.value / 100) * BAR_CELLS);
  const colour = score.value >= 90 ? paint.green : score.value >= 70 ? paint.yellow : paint.red;
  const bar = colour("█".repeat(filled)) + paint.dim("░".repeat(BAR_CELLS - filled));
  const shown = score.reasons.slice(0, MAX_REASONS);
  const more = score.reasons.length - shown.length;
  return [
    `Score ${paint.bold(String(score.value))} of 100  ${bar}  ${tested}`,
    ...alignRows(shown.map(({ text, points }) => [`  -${points}`, text])),
    ...(more > 0 ? [`  and ${countOf(more, "further reason")}`] : []),
    ...end,
  ].join("\n");
}

/** By rule: where it is broken, then how to fix it. */
function printFindings(findings: readonly CheckFinding[], columns: number, paint: Paint): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const lines = rules.slice(0, MAX_RULES).flatMap((rule) => {
    const own = findings.filter((finding) => finding.rule === rule);
    const [first] = own;
    const more = own.length - MAX_PLACES;
    return [
      `  ${paint.bold(printable(rule))}`,
      ...own.slice(0, MAX_PLACES).flatMap((finding) => printPlace(finding, columns, paint)),
      ...(more > 0 ? [`    and ${more} more: --report json has all`] : []),
      ...indented(`Fix: ${first?.fix ?? ""}`, columns, "    "),
    ];
  });
  const left = rules.length - MAX_RULES;
  return left > 0 ? [...lines, `  and ${countOf(left, "rule")} more: --report json has all`] : lines;
}

function indented(text: string, columns: number, indent: string): string[] {
  return wrapText(text, columns - indent.length).map((line) => indent + line);
}

function printPlace({ tool, path, message, call }: CheckFinding, columns: number, paint: Paint): string[] {
  const where = [tool, path].filter((word) => word !== undefined && word !== "").join(" ");
  const lines = indented(where === "" ? message : `${where}: ${message}`, columns, "    ");
  if (call === undefined) return lines;
  const room = columns - 12;
  const cut = (text: string): string => {
    const line = printable(text.replaceAll(/\s+/g, " "));
    return line.length > room ? `${line.slice(0, room - 1)}…` : line;
  };
  return [
    ...lines,
    paint.dim(`      call: ${cut(`${call.tool} ${JSON.stringify(call.arguments)}`)}`),
    paint.dim(`      gave: ${cut(call.replyExcerpt)}`),
  ];
}

function printChanges({ changes = [] }: CheckReport, columns: number, paint: Paint): string[] {
  return changes.slice(0, MAX_RULES).flatMap(({ kind, tool, path, message }) => {
    const mark = kind === "breaking" ? paint.red("breaking") : paint.dim("harmless");
    const where = [tool, path].filter((word) => word !== undefined && word !== "").join(" ");
    const [first = "", ...rest] = wrapText(`${where}: ${message}`, columns - 12);
    return [`  ${mark}  ${first}`, ...rest.map((line) => `            ${line}`)];
  });
}

function printDifferences({ differences = [] }: CheckReport, columns: number): string[] {
  const files = [...new Set(differences.map(({ file }) => file))];
  const lines = files.slice(0, MAX_RULES).flatMap((file) => {
    const own = differences.filter((difference) => difference.file === file);
    const more = own.length - MAX_REASONS;
    return [
      `  ${printable(file)}`,
      ...own
        .slice(0, MAX_REASONS)
        .flatMap(({ path, message }) =>
          indented(path === "" ? message : `${path}: ${message}`, columns, "    "),
        ),
      ...(more > 0 ? [`    and ${more} more: --report json has all`] : []),
    ];
  });
  const left = files.length - MAX_RULES;
  return left > 0 ? [...lines, `  and ${countOf(left, "file")} more: --report json has all`] : lines;
}

function printStale({ stale = [] }: CheckReport): string[] {
  return stale.map(({ rule, tool, path }) => `  ${printable([rule, tool, path].filter(Boolean).join(" "))}`);
}

function printTools({ tools }: CheckReport): string[] {
  const total = ({ definitionTokens, maxResultTokens }: CheckReport["tools"][number]): number =>
    definitionTokens + maxResultTokens;
  const worst = tools.toSorted((one, other) => total(other) - total(one)).slice(0, MAX_TOOLS);
  if (worst.length === 0) return [];
  const rows = worst.map(({ name, definitionTokens, maxResultTokens, maxResultBytes, calls }) => [
    `  ${name.slice(0, 40)}`,
    grouped(definitionTokens),
    calls === 0 ? "not called" : `${grouped(maxResultTokens)} (${formatBytes(maxResultBytes)})`,
  ]);
  return alignRows([["  tool", "definition", "largest result"], ...rows]);
}

/** What was not tried comes last: tools that were not called, and rules, which are a list only where it is asked for. */
function printUntried(
  report: CheckReport,
  { verbose = false }: PrintOptions,
  columns: number,
  paint: Paint,
): readonly string[] {
  const { coverage, counts, rules, isReachable } = report;
  // A check without a score says at its beginning why tools were not called.
  const tools = whyUnscored(report) === undefined ? sayNotCalled(coverage) : [];
  const isList = verbose || !isReachable;
  const flags = untriedFlags(report);
  const how = flags.length === 0 ? "" : ` ${flags.join(" or ")} would try more of them;`;
  const folded = `Untested: ${counts.untested} of ${countOf(rules.length, "rule")};${how} --verbose lists them with reasons`;
  const lines = [...tools, ...(isList || counts.untested === 0 ? [] : [folded])];
  return [
    ...(lines.length === 0 ? [] : [lines.flatMap((line) => wrapText(line, columns)).join("\n")]),
    ...(isList && counts.untested > 0
      ? [[paint.bold(`Untested (${counts.untested})`), ...printUntested(report, columns)].join("\n")]
      : []),
  ];
}

const FLAG = /--[a-z][a-z-]*(?: <[a-z]+>)?/g;

/** The options that would try more rules: they call more tools, with better arguments, or in the other era. */
function untriedFlags(report: CheckReport): readonly string[] {
  const { coverage, era } = report;
  if (coverage.definitionsOnly) return ["a check without --definitions-only"];
  const flags = coverage.notCalled.flatMap(({ remedy }) => remedy?.flag.match(FLAG) ?? []);
  const failing = neverSucceeded(report).length > 0 ? ["--args <file>"] : [];
  const other = era === "modern" ? ["--era legacy"] : [];
  return [...new Set([...flags, ...failing, ...other])];
}

/** By reason: many rules share a reason, and then their groups are enough. */
function printUntested({ rules, isReachable }: CheckReport, columns: number): string[] {
  if (!isReachable) return ["  The server could not be reached: nothing else could be tried"];
  const reasons = new Map<string, string[]>();
  for (const { id, status, because = "Not said why" } of rules) {
    if (status !== "untested") continue;
    // The text in brackets only distinguishes reasons that are otherwise equal.
    const reason = because.replace(/\s*\([^()]*\)\.?$/, "").replace(/\.$/, "");
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  }
  return [...reasons].flatMap(([reason, ids]) => {
    const groups = [...new Set(ids.map(groupOf))];
    const isMany = ids.length > MAX_IDS;
    const named = isMany ? `${countOf(ids.length, "rule")} of ${groups.join(", ")}` : ids.join(", ");
    const [first = "", ...rest] = wrapText(`${reason}: ${named}`, columns - 4);
    return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
  });
}

function printEnd(report: CheckReport, { next, ...options }: PrintOptions, paint: Paint): string {
  const { outcome, because } = verdictOf(report, options);
  const { counts } = report;
  const known = counts.known === 0 ? "" : `, ${countOf(counts.known, "known failure")}`;
  const words = {
    passed: report.isComplete ? paint.green("Passed") : paint.yellow("Not finished, nothing failed so far"),
    failed: paint.red("Failed"),
    unreachable: paint.red("Not reached"),
  }[outcome];
  const why =
    outcome === "passed"
      ? `: ${countOf(counts.warning, "warning")}, ${countOf(counts.info, "remark")}`
      : `: ${printable(because.join(", "))}`;
  return [`${words}${why}${known}`, ...(next === undefined ? [] : [`Next: ${next}`])].join("\n");
}

// The hint after the report of a check.

interface NextOptions {
  readonly policy?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly args?: string | undefined;
  readonly dialect?: DialectId | undefined;
  readonly report?: readonly ReportChoice[] | undefined;
}

const POLICY_FILE = "gateway.json";

/** The next command after reading the report. */
export function nextStep(
  report: CheckReport,
  words: readonly string[],
  target: CheckTarget,
  { policy, snapshot, args, dialect, report: forms }: NextOptions,
): string | undefined {
  const [first = "", ...rest] = shownWords(words).map(shellWord);
  const line = /^https?:/i.test(words[0] ?? "") ? first : `-- ${[first, ...rest].join(" ")}`;
  if (!report.isReachable || !report.isComplete) return undefined;
  const { called: calledTools, tools } = report.coverage;
  if (calledTools === 0 && whyUntested(report) !== undefined)
    return tools === 0
      ? undefined
      : `waybill check --args arguments.json ${line}   (calls the tools that the file has arguments for; --definitions-only asks for no calls)`;
  const failing = neverSucceeded(report);
  if (args === undefined && failing.length > calledTools / 2 && report.counts.error === 0)
    return `waybill check --args arguments.json ${line}   (no call of ${printable(failing[0] ?? "")} went well: give arguments that work)`;
  const repaired = createPolicy(report, target, { dialect }).repaired;
  if (repaired > 0 && policy === undefined)
    return `waybill check --policy ${POLICY_FILE} ${line}   (a gateway that repairs what can be repaired)`;
  if (repaired > 0) return `waybill gateway --config ${shellWord(policy ?? "")}`;
  if (forms === undefined && snapshot === undefined)
    return `waybill check --snapshot contract.json ${line}   (notices breaking changes)`;
  return undefined;
}
