import { faults } from "../contract/faults.ts";
import type { Outcome } from "../contract/outcome.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import { CONTRACT_FLAG } from "../gates/define-flags.ts";
import type { JsonObject } from "../json/json-value.ts";
import { type Arrival, type Parcel, type PipelineContext, partOf } from "../pipeline/parcel.ts";
import { runStages } from "../pipeline/pipeline.ts";
import type { CompiledFilter } from "../pipeline/shape/compile-filter.ts";
import { assertValid, contextOf } from "./call-context.ts";
import type { ContractState } from "./contract-state.ts";
import type { CallContract } from "./settings/settings-resolver.ts";
import { type ToolCall, executeTool, gateTool } from "./execute-tool.ts";
import { CallCancelled } from "./guards/call-cancelled.ts";
import { isUnfinished } from "./is-tool-result.ts";
import { readableError } from "./readable-error.ts";

export interface AnsweredCall {
  readonly result: JsonObject;
  /** Undefined for a result that is no answer yet. */
  readonly outcome: Outcome | undefined;
}

/** The URL elicitation error is an instruction to the client, which no envelope may swallow. */
const URL_ELICITATION = -32042;

function isForTheClient(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === URL_ELICITATION;
}

async function arrive(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { tool, identity, request, notes } = call;
  try {
    if (call.refusal !== undefined) throw call.refusal.error;
    gateTool(state, call);
    await state.guards.limit(tool.name, tool.config, identity, request.sessionId, notes);
    return await executeTool(state, call);
  } catch (thrown) {
    const error = readableError(thrown);
    if (isForTheClient(error)) throw error;
    if (CallCancelled.isInstance(error))
      return { kind: "thrown", error: faults.unavailable("The call was cancelled") };
    return { kind: "thrown", error };
  }
}

/** Each answer in the legacy form is a deprecated use, and the log says until when it works. */
function logLegacy({ effective, log }: ContractState, { tool, identity }: ToolCall): void {
  const { flag } = effective.flags?.evaluate(CONTRACT_FLAG, { client: identity.principal }) ?? {};
  log.warn("legacy-response", { tool: tool.name, flag: CONTRACT_FLAG, sunset: flag?.sunset ?? null });
}

/** A fault says what its author wants the model to know; why it was thrown is for the log. */
function logCause({ log }: ContractState, { identity, tool }: ToolCall, arrival: Arrival): void {
  if (arrival.kind !== "thrown" || !ToolFault.isInstance(arrival.error)) return;
  const { error } = arrival;
  if (error.cause === undefined) return;
  log.warn("tool-failed", {
    request_id: identity.requestId,
    tool: tool.name,
    error_code: error.code,
    err: error,
  });
}

/** Data and notes can still throw while they are read or written; the model hears of that what it hears of any error. */
async function send(arrival: Arrival, context: PipelineContext): Promise<Parcel> {
  try {
    return await runStages(arrival, context);
  } catch (error) {
    return runStages({ kind: "thrown", error: readableError(error) }, context);
  }
}

/** Runs a call and hands its answer through the pipeline. Rejects only with what is the client's to handle. */
export async function answerCall(
  state: ContractState,
  call: ToolCall,
  contract: CallContract,
  filter: CompiledFilter,
): Promise<AnsweredCall> {
  if (contract.source.dialect === "flag") logLegacy(state, call);
  const started = performance.now();
  const arrival = await arrive(state, call);
  if (arrival.kind === "value" && isUnfinished(arrival.value))
    return { result: arrival.value as JsonObject, outcome: undefined };
  logCause(state, call, arrival);
  if (arrival.notes !== undefined) call.notes.take(arrival.notes);
  call.notes.measure({ duration_ms: Math.round((performance.now() - started) * 100) / 100 });
  for (const warning of contract.warnings) call.notes.warn(warning);
  const { version } = contract.tool;
  const tool = { id: call.tool.name, ...(version === undefined ? {} : { version }) };
  const context: PipelineContext = {
    ...contextOf(state, tool, contract, call.identity, { fitted: call.tool, args: call.args }),
    filter,
    ...(call.tier === undefined ? {} : { tier: call.tier }),
  };
  const parcel = await send({ ...arrival, notes: call.notes.toNotes() }, context);
  const result = partOf(parcel, "result");
  assertValid(result, contract);
  return { result: result as unknown as JsonObject, outcome: parcel.outcome };
}
