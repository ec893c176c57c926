// What a rule for the text of a failure is, and how it is tried; failure-rules.ts has the rules.

/** `high` decides; `low` is only noted. */
export type Confidence = "high" | "low";

/** No code: the text says why it failed, and no code of the registry says it better. */
export const NO_CODE = "OPERATION_FAILED";

/** The text of a failure in the forms that rules read. */
export interface SaidText {
  /** A heading such as "**Input Error**"; empty without one. */
  readonly heading: string;
  /** The first meaningful line, without the prefixes that SDKs and languages put before a message. */
  readonly line: string;
  /** That line, and what follows each ": " in it: messages contain messages. */
  readonly tails: readonly string[];
  /** That line and the few after it. */
  readonly lines: string;
}

export interface FailureRule {
  readonly id: string;
  /** What the rule looks for, for people. */
  readonly says: string;
  /** The code that the rule gives; undefined if `read` finds it. */
  readonly code?: string;
  /** The codes that `read` can give, for people. */
  readonly gives?: string;
  /** Default: high. */
  readonly confidence?: Confidence;
  /** Set if the same call cannot succeed before a person has changed something. */
  readonly isFinal?: true;
  readonly remediation?: string;
  readonly words?: RegExp;
  /** Words that count only at the beginning of the line, or of a message in it. */
  readonly starts?: RegExp;
  /** Contexts in which the same words mean something else. */
  readonly unless?: RegExp;
  /** Whether the lines after it count too. */
  readonly everywhere?: true;
  /** Reads the code, in a rule that looks for more than words. */
  readonly read?: (text: SaidText) => string | undefined;
}

/** The code that a rule gives a text; undefined if it does not apply. */
export function codeBy(rule: FailureRule, text: SaidText): string | undefined {
  const { code, words, starts, unless, everywhere, read } = rule;
  if (read !== undefined) return read(text);
  const said = everywhere === true ? text.lines : text.line;
  const isSaid = words?.test(said) === true || text.tails.some((tail) => starts?.test(tail) === true);
  return isSaid && unless?.test(said) !== true ? code : undefined;
}
