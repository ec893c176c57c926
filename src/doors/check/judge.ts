import type { ServerRecord } from "../../core/rules/server-record.ts";
import {
  type RuleFinding,
  type JudgeTools,
  type ServerRule,
  type RuleVerdict,
  type FindingSeverity,
  findingSeverities,
} from "../../core/rules/server-rule.ts";
import { type CheckFinding, type CheckReport, type CheckScore, whyUnscored } from "./report/check-report.ts";

/** The verdict of one rule on a record. */
export interface JudgedRule {
  readonly rule: ServerRule;
  readonly verdict: RuleVerdict;
}

/** The findings of a verdict; empty if the rule could not be tried. */
export function findingsOf(verdict: RuleVerdict): readonly RuleFinding[] {
  return "untested" in verdict ? [] : verdict;
}

/** Applies a rule. A rule that fails on a record reports that as its verdict: it must not end the check. */
export async function judgeOne(
  rule: ServerRule,
  record: ServerRecord,
  tools: JudgeTools,
): Promise<JudgedRule> {
  try {
    return { rule, verdict: await rule.judge(record, tools) };
  } catch (error) {
    return {
      rule,
      verdict: { untested: `The rule could not judge this server: ${(error as Error).message}` },
    };
  }
}

/** Applies every rule, in order. The server is not contacted. */
export async function judgeRecord(
  rules: readonly ServerRule[],
  record: ServerRecord,
  tools: JudgeTools,
): Promise<readonly JudgedRule[]> {
  const judged: JudgedRule[] = [];
  for (const rule of rules) judged.push(await judgeOne(rule, record, tools));
  return judged;
}

interface Weight {
  /** The points that a broken rule costs for its first finding, and for each further one. */
  readonly first: number;
  readonly further: number;
  /** The most that one rule costs: fifty tools with the same fault need one fix, not fifty. */
  readonly perRule: number;
  /** The most that all rules of this severity cost together. */
  readonly inAll: number;
}

const weights: Readonly<Record<FindingSeverity, Weight>> = {
  error: { first: 8, further: 1, perRule: 16, inAll: 100 },
  warning: { first: 2, further: 0.5, perRule: 4, inAll: 40 },
  info: { first: 1, further: 0, perRule: 1, inAll: 5 },
};

const severityWords: Readonly<Record<FindingSeverity, readonly [one: string, many: string]>> = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  info: ["remark", "remarks"],
};

/**
 * A score from 0 to 100: each broken rule takes points off by its severity, and a little more for each further finding.
 * Findings that a baseline knows cost nothing. Untested rules cost nothing either: the score rates what was seen, and
 * is shown with the number of rules that were tried. If no tool was called, or no call succeeded, there is nothing to
 * score.
 */
export function scoreOf({
  findings,
  coverage,
}: Pick<CheckReport, "findings" | "coverage">): CheckScore | null {
  if (whyUnscored({ coverage }) !== undefined) return null;
  const fresh = findings.filter(({ isKnown }) => !isKnown);
  const reasons = findingSeverities.flatMap((severity) => costsOf(severity, fresh));
  const lost = reasons.reduce((sum, { points }) => sum + points, 0);
  return {
    value: Math.max(0, Math.round(100 - lost)),
    reasons: reasons.sort((one, other) => other.points - one.points),
  };
}

function costsOf(severity: FindingSeverity, findings: readonly CheckFinding[]): CheckScore["reasons"] {
  const { first, further, perRule, inAll } = weights[severity];
  const counts = new Map<string, number>();
  for (const finding of findings)
    if (finding.severity === severity) counts.set(finding.rule, (counts.get(finding.rule) ?? 0) + 1);
  let left = inAll;
  return [...counts].flatMap(([rule, count]) => {
    const points = Math.min(left, perRule, first + further * (count - 1));
    left -= points;
    const [one, many] = severityWords[severity];
    return points > 0 ? [{ text: `${rule}: ${count} ${count === 1 ? one : many}`, points }] : [];
  });
}
