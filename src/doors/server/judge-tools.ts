import type { Rule } from "../../core/contract/rule.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { refuseOptions } from "../../core/options/check-options.ts";
import { type AuthoredTool, authorRules } from "../../core/rules/author/author-rules.ts";
import type { DefinedTool } from "../../core/rules/definition/definition-rule.ts";
import { definitionServerRules } from "../../core/rules/definition/definition-rules.ts";
import {
  findingSeverity,
  isNamed,
  unknownRuleIn,
  type RuleFinding,
  type JudgeTools,
  type ServerRule,
} from "../../core/rules/server-rule.ts";
import { listRules } from "../../core/rules/list/list-rules.ts";
import { listedRecord } from "../../core/rules/server-record.ts";
import { messageServerRules } from "../../core/rules/messages/message-server-rules.ts";
import { examineTools } from "./examine-tools.ts";
import type { LintFinding, LintOptions } from "./lint-tools.ts";

/** Rules that need a validator or a live server; they belong to `waybill check`. */
const unasked = new Set(["definition/schema-usable", "protocol/instructions"]);

const listedRules: readonly ServerRule[] = [
  ...definitionServerRules.filter(({ id }) => !unasked.has(id)),
  ...messageServerRules.filter(({ id }) => id.startsWith("tools-list/")),
  ...listRules.filter(({ id }) => id === "list/tokens" || id === "list/count"),
];

/** All lint rules, in the order of the report. */
export const lintRules: readonly Rule[] = [...authorRules, ...listedRules];

/** The findings of all rules, in the order of the rules. */
export async function judgeTools(
  tools: readonly AnyTool[],
  { contract = {}, ignore = [] }: LintOptions,
): Promise<readonly LintFinding[]> {
  const problem = unknownRule(ignore);
  if (problem !== undefined)
    refuseOptions("lintTools", [{ path: ["ignore"], part: "value", message: `"ignore": ${problem}` }]);
  const { examined, counter } = await examineTools(tools, contract);
  const judging: JudgeTools = {
    validate: async () => Promise.resolve({ errors: [] }),
    countTokens: (text) => counter.count(text),
  };
  const found = [
    ...judgeAuthored(examined.map(({ authored }) => authored)),
    ...(await judgeListed(
      examined.flatMap(({ defined }) => defined ?? []),
      judging,
    )),
  ];
  return found.filter(({ rule }) => !isNamed(rule, ignore));
}

/** Describes a misspelt rule name, which would silently leave nothing out; undefined if all names are known. */
export function unknownRule(ignore: readonly string[]): string | undefined {
  return unknownRuleIn(ignore, lintRules, "docs/lint.md");
}

function judgeAuthored(tools: readonly AuthoredTool[]): readonly LintFinding[] {
  return authorRules.flatMap((rule) =>
    tools.flatMap((tool) =>
      rule.judgeTool(tool).map((problem) => toFinding(rule, { tool: tool.name, ...problem })),
    ),
  );
}

/** Rules that hold in only one era are tried in that era; a finding of both eras is reported once. */
async function judgeListed(
  tools: readonly DefinedTool[],
  judging: JudgeTools,
): Promise<readonly LintFinding[]> {
  if (tools.length === 0) return [];
  const records = [listedRecord(tools, "legacy"), listedRecord(tools, "modern")];
  const found: LintFinding[] = [];
  for (const rule of listedRules) {
    const told = new Set<string>();
    for (const record of records) {
      const verdict = await rule.judge(record, judging);
      for (const finding of "untested" in verdict ? [] : verdict) {
        const key = JSON.stringify([finding.tool, finding.path, finding.message]);
        if (!told.has(key)) found.push(toFinding(rule, finding));
        told.add(key);
      }
    }
  }
  return found;
}

function toFinding(rule: Rule, { tool, path, message }: RuleFinding): LintFinding {
  return { rule: rule.id, tool, severity: findingSeverity(rule), path, message, hint: rule.fix };
}
