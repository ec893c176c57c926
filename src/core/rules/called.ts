// What rules see of calls: those that gave a whole tool result, what the result says, and how a finding names the
// smallest call that shows it.

import { isCompleteCall } from "../protocol/validate-message.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { upstreamReader } from "../pipeline/dialect/read-upstream.ts";
import { blockTexts } from "../pipeline/dialect/result-rules.ts";
import { fromResult } from "../pipeline/outcome/from-result.ts";
import { type CallPurpose, type CallRecord, type ServerRecord, derivedOnce } from "./server-record.ts";
import type { RuleFinding, RuleVerdict } from "./server-rule.ts";
import { createRedactor } from "../text/redact/redact-secrets.ts";

/** A call and the whole tool result that it gave. */
export interface CallWithResult {
  readonly call: CallRecord;
  readonly result: JsonObject;
}

/** The calls that gave a whole tool result; a call that asks for input, or became a task, has given none yet. */
export function answeredIn(
  record: ServerRecord,
  purposes?: readonly CallPurpose[],
): readonly CallWithResult[] {
  return record.calls.flatMap((call): CallWithResult[] => {
    if (purposes !== undefined && !purposes.includes(call.purpose)) return [];
    const { reply } = call;
    return reply.kind === "result" && isCompleteCall(reply.result) ? [{ call, result: reply.result }] : [];
  });
}

/** What a result means, as the gateway would read it. */
type Meaning = ReturnType<typeof fromResult>;

const reader = upstreamReader({ speaks: "auto" });

/** Reads each result once for all rules. */
export const meaningOf: (result: JsonObject) => Meaning = derivedOnce((result) =>
  fromResult(result, { reader }),
);

/** Whether the server itself says that the call failed. */
export function isMarkedFailed(result: JsonObject): boolean {
  return result["isError"] === true;
}

/** Whether an unmarked text perhaps reads like a failure. */
export function readsLikeFailure(result: JsonObject): boolean {
  const { outcome } = meaningOf(result);
  return outcome.ok && outcome.notes.warnings?.some(({ code }) => code === "POSSIBLE_FAILURE") === true;
}

/** Whether the call failed: the server says so, or its words do, certainly or perhaps. */
export function isRefusal(result: JsonObject): boolean {
  return isMarkedFailed(result) || !meaningOf(result).outcome.ok || readsLikeFailure(result);
}

/** The texts of a result, joined. */
export function joinedTexts(result: JsonObject): string {
  return blockTexts(result).join("\n");
}

/** The definition of a called tool; undefined if the server does not list it. */
export function definitionOf(record: ServerRecord, name: string): JsonObject | undefined {
  return record.tools.find((tool) => tool.name === name)?.definition;
}

/** A finding about one call. */
export function findingOf(
  { call }: { readonly call: CallRecord },
  path: string,
  message: string,
): RuleFinding {
  return { tool: call.tool, path, message, call: call.index };
}

/** The same place in lists of different lengths counts as one place. */
function placeOf({ tool = "", path }: RuleFinding): string {
  return `${tool} ${path.replaceAll(/\/\d+/g, "/*")}`;
}

/** One finding for each tool and place: the one whose call has the smallest arguments, in the order of the calls. */
export function smallestOf(findings: readonly RuleFinding[], record: ServerRecord): readonly RuleFinding[] {
  const sizeOf = ({ call }: RuleFinding): number =>
    JSON.stringify(record.calls.find(({ index }) => index === call)?.arguments ?? {}).length;
  const kept = new Map<string, { readonly finding: RuleFinding; readonly size: number }>();
  for (const finding of findings) {
    const place = placeOf(finding);
    const size = sizeOf(finding);
    const before = kept.get(place);
    if (before === undefined || size < before.size) kept.set(place, { finding, size });
  }
  return [...kept.values()].map(({ finding }) => finding);
}

/** Judges each subject; without subjects, the rule is untested for the given reason. */
export function judgeEach<Subject>(
  record: ServerRecord,
  subjects: readonly Subject[],
  otherwise: string,
  judge: (subject: Subject) => readonly RuleFinding[],
): RuleVerdict {
  if (subjects.length === 0) return { untested: otherwise };
  return smallestOf(subjects.flatMap(judge), record);
}

/** Why no tool gave a result that could be judged. */
export function noResults(record: ServerRecord): string {
  if (record.tools.length === 0) return "The server lists no tools";
  if (record.calls.length === 0) return "No tool was called";
  return "No call gave a tool result";
}

/** The strings in a value, at any depth; bounded, because a server decides how many there are. */
export function stringsIn(root: unknown, limit = 10_000): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [root];
  for (let count = 0; pending.length > 0 && count < limit; count++) {
    const value = pending.pop();
    if (typeof value === "string") found.push(value);
    else if (Array.isArray(value)) pending.push(...value.slice(0, limit).toReversed());
    else if (isJsonObject(value)) pending.push(...Object.values(value).slice(0, limit).toReversed());
  }
  return found;
}

const MAX_QUOTE = 120;
const MAX_READ = 1_000;

const redactor = createRedactor();

/** A short quote of a server on one line for a finding: reports are passed on, so secrets are masked. */
export function quoteOf(text: string): string {
  const line = text.trim().slice(0, MAX_READ).split("\n", 1)[0] ?? "";
  const masked = redactor.text(line).text;
  return JSON.stringify(masked.length > MAX_QUOTE ? `${masked.slice(0, MAX_QUOTE)}…` : masked);
}

/** A JSON-RPC error in short form. */
export function describeRpcError({ code = null, message }: JsonObject): string {
  const said = typeof message === "string" ? quoteOf(message) : "without a message";
  return `the JSON-RPC error ${JSON.stringify(code)}: ${said}`;
}
