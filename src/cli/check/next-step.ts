// Hints after the report of a check: the next command, and arguments for tools that this server does not have.

import type { CheckTarget } from "../../doors/check/check-options.ts";
import { createPolicy } from "../../doors/check/policy/create-policy.ts";
import type { CheckReport } from "../../doors/check/report/check-report.ts";
import { isUntested } from "../../doors/check/report/coverage.ts";
import { shownWords } from "../../doors/check/target-secrets.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import type { ReportChoice } from "../choices.ts";
import { printable, shellWord } from "../output/format-values.ts";
import type { CheckFiles } from "./check-files.ts";

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
  if (isUntested(report))
    return report.tools.length === 0
      ? undefined
      : `waybill check --args arguments.json ${line}   (calls the tools that the file has arguments for; --definitions-only asks for no calls)`;
  // Retrieval cannot succeed if nothing was cut.
  const called = report.tools.filter(
    ({ name, calls }) => calls > 0 && !/(^|[_-])retrieve(_\d+)?$/.test(name),
  );
  const failing = called.filter(({ succeeded }) => succeeded === 0);
  if (args === undefined && failing.length > called.length / 2 && report.counts.error === 0)
    return `waybill check --args arguments.json ${line}   (no call of ${printable(failing[0]?.name ?? "")} went well: give arguments that work)`;
  const repaired = createPolicy(report, target, { dialect }).repaired;
  if (repaired > 0 && policy === undefined)
    return `waybill check --policy ${POLICY_FILE} ${line}   (a gateway that repairs what can be repaired)`;
  if (repaired > 0) return `waybill gateway --config ${shellWord(policy ?? "")}`;
  if (forms === undefined && snapshot === undefined)
    return `waybill check --snapshot contract.json ${line}   (notices breaking changes)`;
  return undefined;
}

/** Arguments for an unknown tool were meant for another: a line says so, and the check still counts. */
export function unusedArguments(
  { args = {} }: CheckFiles,
  { tools, isReachable }: CheckReport,
): readonly string[] {
  const names = tools.map(({ name }) => name);
  const unknown = Object.keys(args).filter((name) => !names.includes(name));
  if (!isReachable) return [];
  return unknown.map((name) =>
    printable(
      `waybill: --args has arguments for ${name}, which the server has not. ${adviseName(name, names)}`,
    ),
  );
}
