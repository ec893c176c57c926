import type { ServerRecord } from "../../core/rules/server-record.ts";
import type { Finding, JudgeTools, ServerRule, Verdict } from "../../core/rules/server-rule.ts";

/** What one rule says of a record. */
export interface Judged {
  readonly rule: ServerRule;
  readonly verdict: Verdict;
}

/** The findings of a verdict; none where the rule could not be tried. */
export function findingsOf(verdict: Verdict): readonly Finding[] {
  return "untested" in verdict ? [] : verdict;
}

/** Asks a rule. One that fails on a record says so in place of a verdict: it must not end the check. */
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

/** Asks every rule, in their order. Nothing is asked of the server. */
export async function judgeRecord(
  rules: readonly ServerRule[],
  record: ServerRecord,
  tools: JudgeTools,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const rule of rules) judged.push(await judgeOne(rule, record, tools));
  return judged;
}
