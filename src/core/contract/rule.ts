/** How binding a rule is, in the words of RFC 2119. */
export const ruleSeverities = ["MUST", "SHOULD", "MAY"] as const;
export type RuleSeverity = (typeof ruleSeverities)[number];

/**
 * What a rule looks at: JSON text, an envelope, an MCP tool result, a JSON-RPC message, everything a server did, or a
 * tool as its author wrote it.
 */
const ruleLevels = ["json", "envelope", "result", "message", "server", "tool"] as const;
export type RuleLevel = (typeof ruleLevels)[number];

export interface Rule {
  readonly id: string;
  readonly severity: RuleSeverity;
  readonly level: RuleLevel;
  /** What is true if the rule is kept. */
  readonly says: string;
  /** The sentence a violation ends with. */
  readonly fix: string;
  /** Where the rule comes from: a seed document, or the contract's own page. */
  readonly source: string;
}

export interface Violation {
  readonly rule: string;
  /** JSON Pointer of the offending place; empty for the root. */
  readonly path: string;
  readonly message: string;
  readonly severity: RuleSeverity;
}

/** The rules of one place, keyed by id, so that a check can name a rule and a misspelt id does not compile. */
export function defineRules<Id extends string>(
  level: RuleLevel,
  rows: Readonly<Record<Id, Omit<Rule, "id" | "level">>>,
): Readonly<Record<Id, Rule>> {
  const entries = Object.entries<Omit<Rule, "id" | "level">>(rows);
  return Object.fromEntries(entries.map(([id, row]) => [id, { id, level, ...row }])) as Record<Id, Rule>;
}

/** The violation of a rule at a path: what was found, then how to fix it. */
export function violate(rule: Rule, path: string, found: string): Violation {
  return { rule: rule.id, path, message: `${found}. ${rule.fix}`, severity: rule.severity };
}
