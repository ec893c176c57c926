import { toLabel } from "./redact/mask.ts";
import { redactJson } from "./redact/redact-json.ts";
import { redactText } from "./redact/redact-text.ts";
import type { LabelledPattern, RedactedText, TextRules } from "./redact/redact-text.ts";

export interface RedactorOptions {
  /** Secrets that may stay: equal to the string, or matched by the pattern. */
  readonly allow?: readonly (string | RegExp)[];
  /** Further patterns to mask; whole matches, before the built-in rules. */
  readonly patterns?: readonly LabelledPattern[];
}

export interface Redactor {
  readonly text: (value: string) => RedactedText;
  readonly json: <T>(value: T) => { value: T; count: number };
}

/** Masks secrets as `[REDACTED:LABEL]`. Running it again changes nothing. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const rules: TextRules = {
    patterns: (options.patterns ?? []).map(({ label, pattern }) => ({
      label: toLabel(label),
      pattern: withFlags(pattern, "g"),
    })),
    isAllowed: allowance(options.allow ?? []),
  };
  return {
    text: (value) => redactText(value, rules),
    json: (value) => redactJson(value, rules),
  };
}

function allowance(allow: readonly (string | RegExp)[]): (secret: string) => boolean {
  if (allow.length === 0) return () => false;
  const strings = new Set(allow.filter((each) => typeof each === "string"));
  const patterns = allow.flatMap((each) => (typeof each === "string" ? [] : [withFlags(each, "")]));
  return (secret) => strings.has(secret) || patterns.some((pattern) => pattern.test(secret));
}

/** A copy, so that the caller's `lastIndex` is neither used nor changed. */
function withFlags(pattern: RegExp, extra: string): RegExp {
  return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, "") + extra);
}
