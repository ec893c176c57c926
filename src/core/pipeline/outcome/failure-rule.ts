// The form of a rule about the text of another server's failure. Rule ids never change, because logs and the `debug`
// profile name them.

/** `high` decides; `low` is only noted. */
export type Confidence = "high" | "low";

/** No code: the text says why it failed, and no code of the registry says it better. */
export const NO_CODE = "OPERATION_FAILED";

/** The text of a failure in the forms that rules read. */
export interface SaidText {
  /** A heading such as "**Input Error**"; empty if there is none. */
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
  readonly confidence: Confidence;
  /** What the rule looks for, for people. */
  readonly says: string;
  /** The code, or the codes, that the rule can give. */
  readonly gives: string;
  /** Set if the same call cannot succeed before a person has changed something. */
  readonly isFinal?: true;
  readonly remediation?: string;
  /** The code, if the rule applies. */
  readonly read: (text: SaidText) => string | undefined;
}

type Words = Omit<FailureRule, "read" | "gives" | "confidence"> & {
  readonly code: string;
  readonly confidence?: Confidence;
  readonly words?: RegExp;
  /** Words that count only at the beginning of the line, or of a message in it. */
  readonly starts?: RegExp;
  /** Contexts in which the same words mean something else. */
  readonly unless?: RegExp;
  /** Whether the lines after it count too. */
  readonly everywhere?: true;
};

/** A rule that looks for words. */
export function wordsRule(rule: Words): FailureRule {
  const { code, words, starts, unless, everywhere, confidence = "high", ...rest } = rule;
  return {
    ...rest,
    confidence,
    gives: code,
    read: ({ line, lines, tails }) => {
      const said = everywhere === true ? lines : line;
      const isSaid = words?.test(said) === true || tails.some((tail) => starts?.test(tail) === true);
      return isSaid && unless?.test(said) !== true ? code : undefined;
    },
  };
}

/** Names for keys and logins. */
export const secret = "(?:api[ _-]?keys?|access[ _-]?keys?|tokens?|credentials?|secrets?|passwords?)";

/** Words for asking too often. */
export const limited =
  /\brate[ -]?limit(?:ed\b|ing\b|s?\b[^\n]{0,60}\b(?:exceeded|reached|hit|exhausted|detected|triggered)\b|s?\b[^\n]{0,20}\berror)|\bexceeded\b[^\n]{0,40}\brate limit|\btoo many requests\b|\brate exceeded\b|\bthrottl(?:ed|ing)\b|\bquota exceeded\b/i;
