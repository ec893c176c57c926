import { firstCodePoints } from "../../core/contract/code-points.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { AnswerLimits } from "./page-answer.ts";

/** What stands around a fault: keys, code and type, version, an id. */
const AROUND_TOKENS = 100;
const MIN_MESSAGE_LENGTH = 40;

/**
 * A fault that the budget has room for. Answers of `waybill_retrieve` are never cut, and its failures explain much: the
 * keys of a record, the form of an argument. Details go first, then the end of the message, then the advice.
 */
export function fitFault(error: unknown, limits: Pick<AnswerLimits, "budgetTokens" | "count">): unknown {
  const { budgetTokens: budget, count } = limits;
  if (!ToolFault.isInstance(error) || budget === "off") return error;
  const room = budget - AROUND_TOKENS;
  const fits = (said: string, advice: string, details: JsonObject): boolean =>
    count(JSON.stringify([said, advice, details]), room) <= room;
  const { remediation = "", details = {} } = error.fault;
  if (fits(error.message, remediation, details)) return error;
  let { message } = error;
  while (!fits(message, remediation, {}) && message.length > MIN_MESSAGE_LENGTH)
    message = `${firstCodePoints(message, Math.floor(message.length * 0.7))}…`;
  const { details: _details, remediation: _advice, ...options } = error.options;
  const advice = fits(message, remediation, {}) ? { remediation } : {};
  return new ToolFault(message, { ...options, ...advice, cause: error.cause });
}
