import type { Rule, Violation } from "../contract/rule.ts";
import type { ServerRecord } from "./server-record.ts";
import type { Finding, JudgeTools, ServerRule } from "./server-rule.ts";

/** What the rules of `waybill validate` found in a whole record. */
export interface Survey {
  /** By the id of the rule. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  /** Why a rule could not be tried; undefined if it was. */
  readonly untested: (ruleId: string) => string | undefined;
}

/**
 * Rules of `waybill validate` as rules of a check, with the same ids and words, so that each is written once. `survey`
 * reads a record once for all of them.
 */
export function reuseRules(
  rules: readonly Rule[],
  survey: (record: ServerRecord, tools: JudgeTools) => Survey | Promise<Survey>,
): readonly ServerRule[] {
  const surveys = new WeakMap<ServerRecord, Survey | Promise<Survey>>();
  const surveyOnce = (record: ServerRecord, tools: JudgeTools): Survey | Promise<Survey> => {
    const found = surveys.get(record) ?? survey(record, tools);
    surveys.set(record, found);
    return found;
  };
  return rules.map((rule) => ({
    ...rule,
    judge: async (record, tools) => {
      const { findings, untested } = await surveyOnce(record, tools);
      const found = findings.get(rule.id) ?? [];
      const reason = found.length === 0 ? untested(rule.id) : undefined;
      return reason === undefined ? found : { untested: reason };
    },
  }));
}

/** What a violation found, without the rule's fix at its end, which a report shows separately. */
export function withoutFix({ message }: Violation, fix: string | undefined): string {
  const end = `. ${fix ?? ""}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}
