import { ContractError } from "../../core/contract/contract-error.ts";
import type { CheckOptions, CheckTarget } from "../check/check-options.ts";
import type { CheckFinding, CheckReport } from "../check/report/check-report.ts";
import { isNamed, unknownRuleIn } from "../../core/rules/server-rule.ts";
import { refuseOptions } from "../../core/options/check-options.ts";

export interface ExpectOptions extends CheckOptions {
  /** Warnings and an unfinished check also count. Default: false, only errors count. */
  readonly strict?: boolean | undefined;
  /** Ids of rules, or of groups such as `size`, whose findings do not count. An unknown one is refused. */
  readonly except?: readonly string[] | undefined;
  /** The text of a baseline file: findings that it lists do not count, and stale entries do. */
  readonly baseline?: string | undefined;
}

/** More findings than a person fixes at once. */
const MAX_SHOWN = 20;
const MAX_ARGUMENTS = 200;

function describeCall({ call }: CheckFinding): string {
  if (call === undefined) return "";
  const args = JSON.stringify(call.arguments);
  const shown = args.length > MAX_ARGUMENTS ? `${args.slice(0, MAX_ARGUMENTS)}…` : args;
  return `\n  shown by: ${call.tool} ${shown}`;
}

function describe(finding: CheckFinding): string {
  const { rule, severity, tool, path, message, fix } = finding;
  const place = [tool, path].filter((part) => part !== undefined && part !== "").join(" ");
  return `${severity} ${rule}${place === "" ? "" : ` at ${place}`}: ${message}\n  ${fix}${describeCall(finding)}`;
}

function failure({ target }: CheckReport, lines: readonly string[], rules: readonly string[]): ContractError {
  const shown = lines.slice(0, MAX_SHOWN);
  const more = lines.length > shown.length ? [`and ${lines.length - shown.length} more`] : [];
  const listed = [...shown, ...more].map((line) => `- ${line}`).join("\n");
  return new ContractError("INVALID_ENVELOPE", `The server (${target}) does not pass its check:\n${listed}`, {
    rules: [...new Set(rules)],
  });
}

/**
 * Checks a server as `waybill check` does, and throws one `ContractError` that lists what is wrong; for your own tests,
 * with any test runner. Resolves to the report.
 *
 * @example
 * await expectServer({ command: "node", args: ["server.js"] }, { strict: true });
 */
export async function expectServer(target: CheckTarget, options: ExpectOptions = {}): Promise<CheckReport> {
  const { strict = false, except = [], baseline, ...checked } = options;
  // Loaded here, so that tests of single tools do not have to load it.
  const [{ checkServer }, { applyBaseline, readBaseline }, { sayCoverage, whyUntested }, rules] =
    await Promise.all([
      import("../check/check-server.ts"),
      import("../check/baseline.ts"),
      import("../check/report/check-report.ts"),
      import("../../core/rules/server-rules.ts"),
    ]);
  const unknown = unknownRuleIn(except, rules.serverRules, "docs/reference/rules.md");
  if (unknown !== undefined)
    refuseOptions("expectServer", [{ path: ["except"], part: "value", message: `"except": ${unknown}` }]);
  const known = baseline === undefined ? undefined : readBaseline(baseline);
  const seen = await checkServer(target, checked);
  const report = known === undefined ? seen : applyBaseline(seen, known);
  if (!report.isReachable)
    throw failure(report, [`it could not be reached: ${report.stopped ?? "no answer to the greeting"}`], []);
  const severities = strict ? ["error", "warning"] : ["error"];
  const counted = report.findings.filter(
    ({ isKnown, severity, rule }) => !isKnown && severities.includes(severity) && !isNamed(rule, except),
  );
  const lines = [
    ...(whyUntested(report) === undefined ? [] : [sayCoverage(report.coverage, "option")]),
    ...counted.map(describe),
    ...(report.stale ?? []).map(
      ({ rule, path }) => `the baseline's entry ${rule} at ${path || "the root"} is stale`,
    ),
    ...(strict && report.stopped !== undefined ? [`the check was not finished: ${report.stopped}`] : []),
  ];
  if (lines.length > 0)
    throw failure(
      report,
      lines,
      counted.map(({ rule }) => rule),
    );
  return report;
}
