import { type Finding, maskOf, maskedStretches } from "./mask.ts";
import { findSecrets } from "./find-secrets.ts";
import { insideStrings } from "./inside-strings.ts";
import { readThrough } from "./read-through.ts";

/** A pattern of the caller's own; its whole match is masked. */
export interface LabelledPattern {
  readonly label: string;
  readonly pattern: RegExp;
}

export interface TextRules {
  readonly patterns: readonly LabelledPattern[];
  readonly isAllowed: (secret: string) => boolean;
}

export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

/** The shortest text that can hold a secret in its context. */
const MIN_LENGTH = 8;
/** A mask can complete a context that was not one before; in practice the second look finds nothing. */
const MAX_LOOKS = 4;

const finders = [findSecrets, readThrough];

/** Masks the secrets of a text. What is already masked stays as it is. */
export function redactText(text: string, rules: TextRules): RedactedText {
  let current = text;
  let count = 0;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const before = count;
    for (const { label, pattern } of rules.patterns) {
      const masked = mask(current, findPattern(current, label, pattern), rules);
      current = masked.text;
      count += masked.count;
    }
    if (current.length >= MIN_LENGTH) {
      for (const find of finders) {
        const masked = mask(current, insideStrings(current, find(current)), rules);
        current = masked.text;
        count += masked.count;
      }
    }
    if (count === before) break;
  }
  return { text: current, count };
}

function mask(text: string, findings: readonly Finding[], { isAllowed }: TextRules): RedactedText {
  let masked = "";
  let from = 0;
  let count = 0;
  for (const { start, end, label } of findings) {
    if (isAllowed(text.slice(start, end))) continue;
    masked += text.slice(from, start) + maskOf(label);
    from = end;
    count++;
  }
  return count === 0 ? { text, count } : { text: masked + text.slice(from), count };
}

function findPattern(text: string, label: string, pattern: RegExp): Finding[] {
  const masks = maskedStretches(text);
  let next = 0;
  const findings: Finding[] = [];
  for (const found of text.matchAll(pattern)) {
    const start = found.index;
    const end = start + found[0].length;
    while ((masks[next]?.end ?? Infinity) <= start) next++;
    const isClear = (masks[next]?.start ?? Infinity) >= end;
    if (end > start && isClear) findings.push({ start, end, label });
  }
  return findings;
}
