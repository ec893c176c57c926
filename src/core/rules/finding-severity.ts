import type { Rule, RuleSeverity } from "../contract/rule.ts";

/** How much a finding weighs: a broken MUST is an error, a SHOULD a warning, a MAY information. */
export const findingSeverities = ["error", "warning", "info"] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

const severities: Readonly<Record<RuleSeverity, FindingSeverity>> = {
  MUST: "error",
  SHOULD: "warning",
  MAY: "info",
};

export function severityOf({ severity }: Pick<Rule, "severity">): FindingSeverity {
  return severities[severity];
}
