import type { FindingSeverity } from "../../core/rules/finding-severity.ts";
import type { LintFinding } from "../../doors/server/lint-tools.ts";
import { printable } from "../output/format-values.ts";
import type { Paint } from "../report.ts";

const WHOLE_LIST = "the list of tools";
const words: Readonly<Record<FindingSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "remark",
};

/** Findings by tool, since a developer fixes one tool at a time. */
export function printFindings(findings: readonly LintFinding[], paint: Paint): string[] {
  const colours = { error: paint.red, warning: paint.yellow, info: paint.cyan };
  const tools = [...new Set(findings.map(({ tool }) => tool))];
  return tools.flatMap((tool) => [
    paint.bold(printable(tool ?? WHOLE_LIST)),
    ...findings
      .filter((finding) => finding.tool === tool)
      .flatMap(({ rule, severity, path, message, hint }) => [
        `  ${colours[severity](words[severity])} ${rule}${path === "" ? "" : ` at ${printable(path)}`}`,
        `    ${printable(message)}${/[.?!]$/.test(message) ? "" : "."}`,
        `    ${paint.dim(hint)}`,
      ]),
  ]);
}
