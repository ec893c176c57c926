import type * as z from "zod/mini";
import { describeIssue } from "../../contract/describe-issue.ts";
import { type Rule, type Violation, violate } from "../../contract/rule.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";

const SHOWN_CHARACTERS = 60;

/** A text of the input in quotation marks: short, and with control characters escaped. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f]/g,
    (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`,
  );
}

/** Violations of a Zod shape under one rule, one for each place; `byKey` names a finer rule for a property. */
export function checkShape(
  rule: Rule,
  schema: z.ZodMiniType,
  value: JsonValue,
  path: string,
  byKey: Readonly<Record<string, Rule>> = {},
): Violation[] {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return [];
  const byPlace = new Map<string, Violation>();
  for (const issue of parsed.error.issues) {
    const steps = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const at = steps.reduce<string>(appendPointer, path);
    if (byPlace.has(at)) continue;
    // The key comes from the input, so `constructor` must not find Object's own.
    const key = steps.map(String).find((step) => Object.hasOwn(byKey, step));
    const named = key === undefined ? undefined : byKey[key];
    byPlace.set(at, violate(named ?? rule, at, `${at === "" ? "The root" : at} ${issue.message}`));
  }
  return [...byPlace.values()];
}
