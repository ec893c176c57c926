import type { JsonObject } from "../../core/json/json-value.ts";
import { type FindingSeverity, findingSeverities, findingSeverity } from "../../core/rules/server-rule.ts";
import { judgeTools, unknownRule } from "../../doors/server/judge-tools.ts";
import type { LintFinding } from "../../doors/server/lint-tools.ts";
import { CliError, exitCodes, type CliIo } from "../cli-io.ts";
import { RefusedTools, type FoundTools, loadTools } from "../lint/load-tools.ts";
import { type ToolPlace, findToolPlaces } from "../lint/tool-places.ts";
import { countOf, printable } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";
import { authorRules } from "../../core/rules/author/author-rules.ts";

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
): Promise<CommandReport> {
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
  const names = [...new Set(shown.flatMap(({ tool }) => tool ?? []))];
  const places = findToolPlaces(modules, names, io.cwd);
  const failing = counts.error + (strict ? counts.warning : 0);
  const summary = `${countOf(tools, "tool")}: ${countOf(counts.error, "error")}, ${countOf(counts.warning, "warning")}, ${countOf(counts.info, "remark")}`;
  return {
    exitCode: failing === 0 ? exitCodes.fine : exitCodes.violated,
    data: {
      tools,
      counts,
      findings: shown.map((finding) => placed(finding, places)),
    } as unknown as JsonObject,
    failure:
      failing === 0
        ? undefined
        : {
            message: summary,
            errorCode: "VALIDATION_ERROR",
            remediation: "Mend what data.findings says; each has a hint.",
          },
    text: (paint) => [...printFindings(shown, places, paint), summary].join("\n"),
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

const WHOLE_LIST = "the list of tools";
const words: Readonly<Record<FindingSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "remark",
};

type Places = ReadonlyMap<string, ToolPlace>;

/** With the line of the source that names the tool, where it is known. */
function placed(finding: LintFinding, places: Places): LintFinding & { readonly place?: ToolPlace } {
  const place = places.get(finding.tool ?? "");
  return place === undefined ? finding : { ...finding, place };
}

function headingOf(tool: string | undefined, places: Places, paint: Paint): string {
  const place = places.get(tool ?? "");
  const where = place === undefined ? "" : paint.dim(` (${printable(place.file)}:${place.line})`);
  return paint.bold(printable(tool ?? WHOLE_LIST)) + where;
}

/** Findings by tool, since a developer fixes one tool at a time. */
function printFindings(findings: readonly LintFinding[], places: Places, paint: Paint): string[] {
  const colours = { error: paint.red, warning: paint.yellow, info: paint.cyan };
  const tools = [...new Set(findings.map(({ tool }) => tool))];
  return tools.flatMap((tool) => [
    headingOf(tool, places, paint),
    ...findings
      .filter((finding) => finding.tool === tool)
      .flatMap(({ rule, severity, path, message, hint }) => [
        `  ${colours[severity](words[severity])} ${rule}${path === "" ? "" : ` at ${printable(path)}`}`,
        `    ${printable(message)}${/[.?!]$/.test(message) ? "" : "."}`,
        `    ${paint.dim(hint)}`,
      ]),
  ]);
}

const ABOUT_TOOL = /^Tool (\S+): /;

/** What `defineTool` refused while a module was loaded, as findings; empty if the error is about something else. */
function refusedFindings({ reason }: RefusedTools): readonly LintFinding[] {
  const [, tool] = ABOUT_TOOL.exec(reason.message) ?? [];
  const rule = authorRules.find(({ id }) => id === "author/options");
  if (tool === undefined || rule === undefined) return [];
  const { problems = [] } = reason.details as { problems?: { option: string; message: string }[] };
  return problems.map(({ option, message }) => ({
    rule: rule.id,
    tool,
    severity: findingSeverity(rule),
    path: `/${option.replaceAll(".", "/")}`,
    message: message.replace(/\.$/, ""),
    hint: rule.fix,
  }));
}
