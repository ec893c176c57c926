import { type DialectId, dialectIds } from "../contract/dialect-id.ts";
import type { Rule } from "../contract/rule.ts";
import { messageRules } from "../protocol/rules.ts";
import { dialects } from "../pipeline/dialect/dialects.ts";
import { jsonRules } from "../pipeline/dialect/json-rules.ts";
import { carrierRules, recognitionRules } from "../pipeline/dialect/validate-response.ts";

/** A rule of `waybill validate` and the dialects it applies to; an empty list means all of them. */
export interface ValidationRule extends Rule {
  readonly dialects: readonly DialectId[];
}

/** All rules that a response or message is validated by, each once, in a stable order. */
export function listValidationRules(): readonly ValidationRule[] {
  const byId = new Map<string, ValidationRule>();
  const add = (rule: Rule, ids: readonly DialectId[]): void => {
    const before = byId.get(rule.id)?.dialects ?? [];
    byId.set(rule.id, { ...rule, dialects: [...before, ...ids] });
  };
  for (const rule of Object.values(jsonRules)) add(rule, []);
  for (const rule of Object.values(recognitionRules)) add(rule, []);
  for (const id of dialectIds) for (const rule of dialects[id].rules) add(rule, [id]);
  const enveloped = dialectIds.filter((id) => dialects[id].level === "envelope");
  for (const rule of Object.values(carrierRules)) add(rule, enveloped);
  for (const rule of messageRules) add(rule, []);
  return [...byId.values()];
}
