import type { Rule } from "../../../core/contract/rule.ts";
import { groupOf } from "../../../core/rules/server-rule.ts";
import { everyRule } from "../../../core/rules/server-rules.ts";
import type { CheckReport, RuleOutcome } from "./check-report.ts";

const details: ReadonlyMap<string, Rule> = new Map(everyRule.map((rule) => [rule.id, rule]));

/** What a rule requires, how to fix it, and its source; undefined for an id of another version. */
export function ruleDetails(id: string): Rule | undefined {
  return details.get(id);
}

/** Every rule of a report, including a rule that only a finding names, as in a report of another version. */
export function rulesOf({ rules, findings }: CheckReport): readonly RuleOutcome[] {
  const listed = new Set(rules.map(({ id }) => id));
  const further = new Map<string, number>();
  for (const { rule } of findings) if (!listed.has(rule)) further.set(rule, (further.get(rule) ?? 0) + 1);
  return [
    ...rules,
    ...Array.from(further, ([id, amount]) => ({ id, status: "failed" as const, findings: amount })),
  ];
}

/** Rules by group, in order. */
export function groupRules(rules: readonly RuleOutcome[]): ReadonlyMap<string, readonly RuleOutcome[]> {
  const groups = new Map<string, RuleOutcome[]>();
  for (const rule of rules) {
    const own = groups.get(groupOf(rule.id));
    if (own === undefined) groups.set(groupOf(rule.id), [rule]);
    else own.push(rule);
  }
  return groups;
}
