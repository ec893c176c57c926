import type { Rule, Violation, RuleSeverity } from "../contract/rule.ts";
import type { JsonValue } from "../json/json-value.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import type { ServerRecord } from "./server-record.ts";

/** What a rule found at one place. */
export interface RuleFinding {
  /** The tool that the finding is about; undefined for the server as a whole. */
  readonly tool?: string | undefined;
  /** JSON Pointer into the definition, the result or the message; empty for all of it. */
  readonly path: string;
  /** What was found. The rule's `fix` is shown after it. */
  readonly message: string;
  /** The call that shows the finding. */
  readonly call?: number | undefined;
}

/** A rule that could not be tried is untested, never passed. */
interface Untested {
  readonly untested: string;
}

export type RuleVerdict = readonly RuleFinding[] | Untested;

/** What a rule may use besides the record. */
export interface JudgeTools {
  /** Violations of a JSON Schema in words, bounded in time: `problem` says why a schema could not be used. */
  validate(
    schema: JsonValue,
    value: JsonValue,
  ): Promise<{
    readonly errors: readonly string[];
    readonly problem?: string | undefined;
    /** True if the schema could be read, but took too long with this value. */
    readonly isTooSlow?: boolean | undefined;
  }>;
  countTokens(text: string): number;
}

/**
 * A rule about a whole server: it judges what a check recorded. MUST counts as an error, SHOULD as a warning, MAY as
 * information.
 */
export interface ServerRule extends Rule {
  readonly judge: (record: ServerRecord, tools: JudgeTools) => RuleVerdict | Promise<RuleVerdict>;
}

type Row = Omit<ServerRule, "id" | "level">;

/** The rules of one group, keyed by id, in the order they are reported. */
export function defineServerRules(rows: Readonly<Record<string, Row>>): readonly ServerRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, level: "server", ...row }));
}

/** What the rules of `waybill validate` found in a whole record. */
export interface Survey {
  /** By the id of the rule. */
  readonly findings: ReadonlyMap<string, readonly RuleFinding[]>;
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
  // By the record, which is plain data that may come from a file.
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

/** How much a finding weighs: a broken MUST is an error, a SHOULD a warning, a MAY information. */
export const findingSeverities = ["error", "warning", "info"] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

const severities: Readonly<Record<RuleSeverity, FindingSeverity>> = {
  MUST: "error",
  SHOULD: "warning",
  MAY: "info",
};

export function findingSeverity({ severity }: Pick<Rule, "severity">): FindingSeverity {
  return severities[severity];
}

/** The group of a rule: the first part of its id. */
export function groupOf(id: string): string {
  return id.split("/", 1)[0] ?? id;
}

/** Whether one of the names is the rule's id or its group. */
export function isNamed(id: string, names: readonly string[]): boolean {
  return names.includes(id) || names.includes(groupOf(id));
}

/**
 * Describes the first name that is neither a rule nor a group of rules, which would silently name nothing; undefined if
 * all are known. `page` lists the rules.
 */
export function unknownRuleIn(
  names: readonly string[],
  rules: readonly Rule[],
  page: string,
): string | undefined {
  const ids = rules.map(({ id }) => id);
  const known = [...new Set([...ids, ...ids.map(groupOf)])];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = didYouMean(unknown, known);
  const advice = meant === undefined ? `${page} lists the rules.` : `Did you mean "${meant}"?`;
  return `${JSON.stringify(unknown)} is no rule. ${advice}`;
}
