// What the log tells the author of a tool in development, once for each tool: answers that are sent as they
// are but were probably not intended. Production never loads this file.

import type { Outcome } from "../../core/contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { readFailurePayload } from "../../core/pipeline/outcome/failure-payload.ts";
import { mayReportFailure } from "../../core/pipeline/outcome/failure-signs.ts";
import { isReport } from "../../core/pipeline/outcome/foreign-failure.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import { pathIn, sourceIn, stackIn } from "../../core/rules/call/leaks.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { shortened } from "./input-failure.ts";
import { jsonSchemaOf } from "../settings/standard-schema.ts";
import type { AnswerListener } from "./call-events.ts";
import { isDeclared } from "../settings/declared-faults.ts";
import { factsOnlyInText } from "../../core/text/facts-in-text.ts";

/** Hears every answer of the contract's tools. */
export function authorAdvice(state: ContractState) {
  return {
    answered: (call, { outcome, arrival, isRefused }) => {
      if (outcome === undefined || isRefused === true) return;
      logUndeclaredFault(state, call, outcome);
      // Answers of upstream servers do not concern this author.
      if (call.tool.isRemote === true) return;
      if (!outcome.ok) logLeaks(state, call, arrival, outcome);
      else if (arrival.kind === "value") logHiddenFailure(state, call, outcome.data);
    },
    parsed: (call, given, sent) => logDroppedFields(state, call, given, sent),
    formatted: (call, text, data) => logTextOnlyFacts(state, call, text, data),
  } satisfies AnswerListener;
}

function tell(state: ContractState, { tool, identity }: ToolCall, event: string, fields: JsonObject): void {
  if (!state.isNews(`${event} ${tool.name}`)) return;
  const { requestId } = identity;
  state.events.trouble({ event, level: "warn", requestId, tool: tool.name, fields });
}

/** If the tool has an output schema, its field `error` is intended, and only a flag that reports failure counts. */
function logHiddenFailure(state: ContractState, call: ToolCall, data: unknown): void {
  if (!isJsonObject(data) || !mayReportFailure(data)) return;
  if (call.tool.config.outputSchema !== undefined && !isReport(data)) return;
  const report = readFailurePayload(data, false);
  if (report?.confidence !== "high") return;
  const hint =
    "Clients take this answer for a success. Throw a fault, such as faults.notFound(…), or return errorResponse(…).";
  tell(state, call, "success-reads-like-failure", { rule: report.rule, keys: Object.keys(data), hint });
}

const MAX_TEXTS = 1_000;

function textsIn(root: unknown): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [root];
  for (let looked = 0; pending.length > 0 && looked < MAX_TEXTS; looked++) {
    const value = pending.pop();
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null)
      pending.push(...Object.values(value).slice(0, MAX_TEXTS));
  }
  return found;
}

/** The first text that outsiders should not read, with the rule that names it. */
function leakIn(words: string, known: () => readonly string[]): readonly [string, string] | undefined {
  const stack = stackIn(words);
  if (stack !== undefined) return ["error/leaks-stack", stack];
  const path = pathIn(words, known);
  if (path !== undefined) return ["error/leaks-path", path];
  const code = sourceIn(words, known);
  return code === undefined ? undefined : ["error/leaks-code", code];
}

/** The text of an author's failure is sent as it is, without secrets, and in scalpel without code. */
function logLeaks(state: ContractState, call: ToolCall, arrival: Arrival, outcome: Outcome): void {
  if (outcome.ok) return;
  const { message, details, data } = outcome.fault;
  const { content, structuredContent } = arrival.kind === "result" ? arrival.result : {};
  const words = textsIn([message, details, data, content, structuredContent]).join("\n");
  const known = (): readonly string[] => [...textsIn(call.args), call.tool.config.description ?? ""];
  const [rule, found] = leakIn(words, known) ?? [];
  if (rule === undefined || found === undefined) return;
  tell(state, call, "failure-leaks", {
    rule,
    found: shortened(found),
    hint: "The caller reads this. Say in its words what failed, and give the error itself as `cause`, which only the log gets.",
  });
}

/** Reports a tool that declares its faults but fails with another code: its docs and tests do not have that code. */
function logUndeclaredFault(state: ContractState, { tool, identity }: ToolCall, outcome: Outcome): void {
  if (outcome.ok || tool.config.errors === undefined) return;
  const { code } = outcome.fault;
  if (isDeclared(tool.config.errors, code) || !state.isNews(`fault ${code} ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { error_code: code, declared: Object.keys(tool.config.errors) };
  state.events.trouble({ event: "fault-not-declared", level: "warn", requestId, tool: tool.name, fields });
}

const MAX_COMPARED = 500;
/** Items of one list are usually alike. */
const MAX_ITEMS = 20;

function hasFields(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The fields of a value that its schema's output does not have, as paths such as `tasks[*].extra`. */
function leftOut(given: unknown, sent: unknown, isKnown: (name: string) => boolean): readonly string[] {
  const found = new Set<string>();
  const pending: (readonly [unknown, unknown, string])[] = [[given, sent, ""]];
  for (let looked = 0; looked < MAX_COMPARED; looked++) {
    const [before, after, path] = pending.pop() ?? [];
    if (path === undefined) break;
    if (before === after) continue;
    if (Array.isArray(before) && Array.isArray(after)) {
      for (const [index, item] of before.slice(0, MAX_ITEMS).entries())
        if (hasFields(item)) pending.push([item, after[index], `${path}[*]`]);
    } else if (isJsonObject(before) && isJsonObject(after)) {
      for (const key of Object.keys(before)) {
        const value: unknown = before[key];
        const isSent = Object.hasOwn(after, key);
        if (isSent ? !hasFields(value) : value === undefined || isKnown(key)) continue;
        const place = path === "" ? key : `${path}.${key}`;
        if (isSent) pending.push([value, after[key], place]);
        else found.add(place);
      }
    }
  }
  return [...found];
}

/** A field that is not sent may throw when it is read, and advice must not fail the answer. */
function fieldsLeftOut(...[given, sent, isKnown]: Parameters<typeof leftOut>): readonly string[] {
  try {
    return leftOut(given, sent, isKnown);
  } catch {
    return [];
  }
}

/** Fields that a schema does not know are not sent. A field that the schema names and drops is dropped on purpose. */
function logDroppedFields(state: ContractState, call: ToolCall, given: unknown, sent: unknown): void {
  const { outputSchema } = call.tool.config;
  const isKnown = (name: string): boolean =>
    JSON.stringify(jsonSchemaOf(outputSchema, "input") ?? {}).includes(`${JSON.stringify(name)}:`);
  const fields = fieldsLeftOut(given, sent, isKnown);
  if (fields.length === 0) return;
  const hint =
    "outputSchema does not have these fields, so they are not sent. Add them to it, or do not return them.";
  tell(state, call, "data-left-out", { fields: fields.slice(0, 10).map((field) => shortened(field)), hint });
}

/** Warns the author: readers of the structured content alone miss what only the text says. */
function logTextOnlyFacts(
  state: ContractState,
  { tool, identity }: ToolCall,
  text: string,
  data: JsonValue,
): void {
  const facts = factsOnlyInText(text, data);
  if (facts.length === 0 || !state.isNews(`format ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { rule: "result/text-only-facts", facts: facts.slice(0, 5) };
  state.events.trouble({ event: "format-says-more", level: "warn", requestId, tool: tool.name, fields });
}
