import { authorRules } from "../../core/rules/author/author-rules.ts";
import { severityOf } from "../../core/rules/finding-severity.ts";
import type { LintFinding } from "../../doors/server/lint-tools.ts";
import type { RefusedTools } from "./import-module.ts";

const ABOUT_TOOL = /^Tool (\S+): /;

/** What `defineTool` refused while a module was loaded, as findings; empty if the error is about something else. */
export function refusedFindings({ reason }: RefusedTools): readonly LintFinding[] {
  const [, tool] = ABOUT_TOOL.exec(reason.message) ?? [];
  const rule = authorRules.find(({ id }) => id === "author/options");
  if (tool === undefined || rule === undefined) return [];
  const { problems = [] } = reason.details as { problems?: { option: string; message: string }[] };
  return problems.map(({ option, message }) => ({
    rule: rule.id,
    tool,
    severity: severityOf(rule),
    path: `/${option.replaceAll(".", "/")}`,
    message: message.replace(/\.$/, ""),
    hint: rule.fix,
  }));
}
