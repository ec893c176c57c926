import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import type { CallRecord, ToolRecord } from "../../../core/rules/server-record.ts";
import type { JudgeTools } from "../../../core/rules/server-rule.ts";
import type { CheckOptions } from "../check-options.ts";
import type { Limits } from "../check-settings.ts";
import { type NotCalled, lacksArguments, reasons } from "../report/coverage.ts";
import { planArguments } from "./arguments/plan-arguments.ts";
import { type Caller, callTool } from "./call-tool.ts";
import { archivesOf, isGood, repeat, retrieve, turnPages } from "./follow-up.ts";

/** After so many calls without an answer a tool is left alone: the rest of the server is worth more. */
const MAX_FAILURES = 2;

export interface ProbeOptions extends Pick<CheckOptions, "all" | "args" | "only" | "definitionsOnly"> {
  readonly seed: number;
  readonly limits: Limits;
  readonly validate: JudgeTools["validate"];
}

/** The user's own arguments for a tool. */
function givenFor(name: string, args: CheckOptions["args"] = {}): readonly JsonObject[] {
  const given = Object.hasOwn(args, name) ? args[name] : undefined;
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as JsonObject];
}

/** Why a tool is not called, and what would call it. */
export type Against = Omit<NotCalled, "tools">;

/** Undefined where a tool is called. */
export function reasonAgainst(
  { name, definition, isReadOnly }: ToolRecord,
  { all, args, only, definitionsOnly }: ProbeOptions,
): Against | undefined {
  if (definitionsOnly === true) return reasons.definitionsOnly;
  if (only !== undefined && !only.includes(name)) return reasons.notChosen;
  const { execution } = definition;
  if (isJsonObject(execution) && execution["taskSupport"] === "required") return reasons.onlyTask;
  if (isReadOnly || all === true || givenFor(name, args).length > 0) return undefined;
  return reasons.notReadOnly;
}

/** Calls one tool as planned. Gives why it could not be called, or left early; undefined where all went as planned. */
export async function probeTool(
  caller: Caller,
  tool: ToolRecord,
  tools: readonly ToolRecord[],
  options: ProbeOptions,
): Promise<Against | undefined> {
  const { name, definition } = tool;
  const { seed, limits, validate, args } = options;
  const plan = await planArguments({
    name,
    inputSchema: definition["inputSchema"],
    given: givenFor(name, args),
    mayMake: tool.isReadOnly || options.all === true,
    seed,
    // The repetition is one of them.
    maxCalls: Math.max(1, limits.callsPerTool - 1),
    validate,
  });
  if (plan.problem !== undefined) return lacksArguments(plan.problem);
  let failures = 0;
  let first: CallRecord | undefined;
  let hasTurned = false;
  for (const planned of plan.calls) {
    // A tool that took too long once will do so again, but it may still refuse bad arguments at once.
    if (failures > 0 && planned.purpose !== "invalid") continue;
    const call = await callTool(caller, { tool: name, ...planned });
    if (call === undefined) return undefined;
    const isAnswered = call.reply.kind === "result" || call.reply.kind === "error";
    failures += isAnswered ? 0 : 1;
    if (failures >= MAX_FAILURES) return undefined;
    if (planned.purpose === "invalid" || !isGood(call)) continue;
    // What changes something may well answer differently the second time.
    if (first === undefined && tool.isReadOnly) await repeat(caller, call);
    first ??= call;
    hasTurned ||= await turnPages(caller, call, tool);
  }
  for (const call of cutOf(caller.recorder.calls, name)) await retrieve(caller, call, tools);
  return undefined;
}

/** Of the answers of a tool that name archives the first few. */
function cutOf(calls: readonly CallRecord[], name: string): readonly CallRecord[] {
  const own = calls.filter(({ tool, purpose }) => tool === name && purpose !== "retrieve");
  return own.filter((call) => isGood(call) && archivesOf(call).length > 0).slice(0, 2);
}
