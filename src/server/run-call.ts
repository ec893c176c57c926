import { ContractError } from "../contract/contract-error.ts";
import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import { stripWaybill } from "../advertise/input-schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { validateResponse } from "../pipeline/dialect/validate-response.ts";
import type { Arrival, PipelineContext, ToolResult } from "../pipeline/parcel.ts";
import { runPipeline } from "../pipeline/pipeline.ts";
import { type CompiledFilter, compileFilter } from "../pipeline/shape/compile-filter.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import type { CallContract } from "./effective-settings.ts";
import { type ToolCall, executeTool, gateTool } from "./execute-tool.ts";
import { CallCancelled } from "./guards/call-cancelled.ts";
import { type CallIdentity, identifyCall } from "./identify-call.ts";
import { isUnfinished } from "./is-tool-result.ts";
import { NoteTaker } from "./note-taker.ts";
import { runInScope } from "./request-scope.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The URL elicitation error is an instruction to the client, which no envelope may swallow. */
const URL_ELICITATION = -32042;

function isForTheClient(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === URL_ELICITATION;
}

async function arrive(state: ContractState, call: ToolCall): Promise<Arrival> {
  try {
    gateTool(state, call);
    await state.guards.limit(
      call.tool.name,
      call.tool.config,
      call.identity,
      call.request.sessionId,
      call.notes,
    );
    return await executeTool(state, call);
  } catch (error) {
    if (isForTheClient(error)) throw error;
    if (CallCancelled.isInstance(error))
      return { kind: "thrown", error: faults.unavailable("The call was cancelled") };
    return { kind: "thrown", error };
  }
}

/** The configured filter, then the fields the model asked for. */
function filterOf({ filter }: CallContract, fields: readonly string[] | undefined): CompiledFilter {
  if (fields === undefined || fields.length === 0) return filter;
  const asked = compileFilter({ includeOnly: fields });
  return (data, facts) => asked(filter(data, facts), facts);
}

export function contextOf(
  state: ContractState,
  tool: { readonly id: string; readonly version?: string },
  contract: CallContract,
  identity: CallIdentity,
): PipelineContext {
  const { redactor, options, log } = state;
  return {
    tool,
    dialect: contract.dialect,
    profile: contract.profileObject,
    delivery: options.delivery ?? state.effective.settings.delivery,
    ...(options.draftNotes === undefined ? {} : { draftNotes: options.draftNotes }),
    requestId: identity.requestId,
    requestIdFrom: identity.requestIdFrom,
    filter: contract.filter,
    mapError: (error) => options.mapError?.(error)?.toOutcome(),
    ...(redactor === undefined ? {} : { redact: (value) => redactor.json(value) }),
    log: ({ requestId, tool: name, error }) =>
      log.error("tool-failed", { request_id: requestId, tool: name, err: error }),
  };
}

/** Every outgoing result checked, where someone asked for it. */
export function assertValid(state: ContractState, result: ToolResult, contract: CallContract): void {
  const mode = state.options.validate ?? state.effective.settings.validate;
  if (mode !== "always") return;
  const { valid, violations } = validateResponse(result, { dialect: contract.dialect, level: "result" });
  if (valid) return;
  const list = violations as unknown as readonly JsonObject[];
  throw new ContractError("INVALID_ENVELOPE", "A result broke the contract: see the violations.", {
    violations: list,
  });
}

async function answer(
  state: ContractState,
  call: ToolCall,
  contract: CallContract,
  fields: readonly string[] | undefined,
): Promise<{ result: JsonObject; arrival: Arrival }> {
  const started = performance.now();
  const arrival = await arrive(state, call);
  if (arrival.kind === "value" && isUnfinished(arrival.value))
    return { result: arrival.value as JsonObject, arrival };
  const durationMs = Math.round((performance.now() - started) * 100) / 100;
  if (arrival.notes !== undefined) call.notes.take(arrival.notes);
  call.notes.measure({ duration_ms: durationMs });
  for (const warning of contract.warnings) call.notes.warn(warning);
  const version = call.tool.config.version ?? state.options.version;
  const tool = { id: call.tool.name, ...(version === undefined ? {} : { version }) };
  const context: PipelineContext = {
    ...contextOf(state, tool, contract, call.identity),
    filter: filterOf(contract, fields),
    ...(call.tier === undefined ? {} : { tier: call.tier }),
  };
  const result = await runPipeline({ ...arrival, notes: call.notes.toNotes() }, context);
  assertValid(state, result, contract);
  return { result: result as unknown as JsonObject, arrival };
}

function failureOf({ result, arrival }: { result: JsonObject; arrival: Arrival }): {
  ok: boolean;
  errorCode?: string;
  errorType?: string;
} {
  if (result["isError"] !== true) return { ok: true };
  const fault = arrival.kind === "thrown" && ToolFault.isInstance(arrival.error) ? arrival.error : undefined;
  return { ok: false, errorCode: fault?.code ?? "INTERNAL_ERROR", errorType: fault?.type ?? "internal" };
}

/** One call from the request's arguments to the MCP result. Never rejects, but for what is the client's to handle. */
export async function runCall(
  state: ContractState,
  tool: ToolDefinition,
  rawArgs: unknown,
  request: CallRequest,
): Promise<JsonObject> {
  const identity = identifyCall(request, state.options);
  const contract = state.effective.forCall(tool.name, tool.config, request, identity.principal);
  const takesWaybill = tool.config.waybillArgument ?? state.options.waybillArgument ?? false;
  const { args, waybill } = takesWaybill ? stripWaybill(rawArgs) : { args: rawArgs, waybill: undefined };
  const notes = new NoteTaker();
  for (const name of waybill?.ignored ?? []) notes.warn(`_waybill.${name} is not understood and was ignored`);
  const tier = state.options.tiers?.of(request);
  const call: ToolCall = { tool, args, cursor: waybill?.cursor, request, identity, notes, tier };
  const observed = {
    tool: tool.name,
    requestId: identity.requestId,
    ...(identity.traceparent === undefined ? {} : { traceparent: identity.traceparent }),
    ...(identity.tracestate === undefined ? {} : { tracestate: identity.tracestate }),
  };
  const started = performance.now();
  const done = await runInScope({ requestId: identity.requestId, faults: [] }, () =>
    state.observer.observe(
      observed,
      () => answer(state, call, contract, waybill?.fields),
      (given) => ({
        ...failureOf(given),
        dialect: contract.dialect,
        profile: contract.profile,
        cacheHit: notes.cacheHit,
        durationMs: performance.now() - started,
      }),
    ),
  );
  return done.result;
}
