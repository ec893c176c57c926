import type { ServerRecord } from "../../core/rules/server-record.ts";
import type { Finding, JudgeTools, ServerRule, Verdict } from "../../core/rules/server-rule.ts";

/** The verdict of one rule on a record. */
export interface Judged {
  readonly rule: ServerRule;
  readonly verdict: Verdict;
}

/** The findings of a verdict; empty if the rule could not be tried. */
export function findingsOf(verdict: Verdict): readonly Finding[] {
  return "untested" in verdict ? [] : verdict;
}

/** Applies a rule. A rule that fails on a record reports that as its verdict: it must not end the check. */
export async function judgeOne(rule: ServerRule, record: ServerRecord, tools: JudgeTools): Promise<Judged> {
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
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const rule of rules) judged.push(await judgeOne(rule, record, tools));
  return judged;
}
