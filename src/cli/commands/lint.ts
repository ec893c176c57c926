import type { JsonObject } from "../../core/json/json-value.ts";
import { type FindingSeverity, findingSeverities } from "../../core/rules/finding-severity.ts";
import { judgeTools, unknownRule } from "../../doors/server/judge-tools.ts";
import type { LintFinding } from "../../doors/server/lint-tools.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { RefusedTools } from "../lint/import-module.ts";
import { type FoundTools, loadTools } from "../lint/load-tools.ts";
import { printFindings } from "../lint/print-findings.ts";
import { refusedFindings } from "../lint/refused-findings.ts";
import { count } from "../output/format-values.ts";
import type { Report } from "../report.ts";

export interface LintCommandOptions {
  /** The lowest severity that is shown. */
  readonly level?: FindingSeverity | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly strict?: boolean | undefined;
}

/** Judges the tools of modules; nothing is started and no tool is called. */
export async function lint(
  modules: readonly string[],
  { level = "info", ignore = [], strict = false }: LintCommandOptions,
  io: CliIo,
): Promise<Report> {
  const unknown = unknownRule(ignore);
  if (unknown !== undefined) throw new CliError(`--ignore: ${unknown}`);
  const { tools, findings, isStopped } = await judge(modules, ignore, io);
  const counts = Object.fromEntries(
    findingSeverities.map((severity) => [
      severity,
      findings.filter((one) => one.severity === severity).length,
    ]),
  ) as Record<FindingSeverity, number>;
  const shown = findings.filter(
    ({ severity }) => findingSeverities.indexOf(severity) <= findingSeverities.indexOf(level),
  );
  const failing = counts.error + (strict ? counts.warning : 0);
  const summary = `${count(tools, "tool")}: ${count(counts.error, "error")}, ${count(counts.warning, "warning")}, ${count(counts.info, "remark")}`;
  return {
    exitCode: failing === 0 ? exitCodes.fine : exitCodes.violated,
    data: { tools, counts, findings: shown } as unknown as JsonObject,
    failure:
      failing === 0
        ? undefined
        : {
            message: summary,
            errorCode: "VALIDATION_ERROR",
            remediation: "Mend what data.findings says; each has a hint.",
          },
    text: (paint) => [...printFindings(shown, paint), summary].join("\n"),
    remarks: isStopped ? ["waybill: the module stopped there, so its other tools were not seen."] : [],
  };
}

interface Judged {
  readonly tools: number;
  readonly findings: readonly LintFinding[];
  readonly isStopped: boolean;
}

/** A tool that is refused while its module loads is an ordinary finding. */
async function judge(modules: readonly string[], ignore: readonly string[], io: CliIo): Promise<Judged> {
  let found: FoundTools;
  try {
    found = await loadTools(modules, io);
  } catch (error) {
    const findings = error instanceof RefusedTools ? refusedFindings(error) : [];
    if (findings.length === 0) throw error;
    return { tools: 1, findings, isStopped: true };
  }
  const { tools, contract } = found;
  return { tools: tools.length, findings: await judgeTools(tools, { contract, ignore }), isStopped: false };
}
