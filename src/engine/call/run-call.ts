// One call, through any door: the caller and the agreement, the tool behind its guards, the pipeline, the
// listeners. Until the tool is asked, nothing waits unless it must: the requests and notifications of a
// connection reach an upstream server in the order in which they came, and what a handler does at once is in
// the scope of its call.

import type { Outcome } from "../../core/contract/outcome.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { CallFacts, CallWatch, ObservedCall } from "../observe/call-facts.ts";
import type { CallRequest } from "../request/call-request.ts";
import { CONTRACT_FLAG } from "../settings/flags-and-tiers/define-flags.ts";
import {
  type AnsweredCall,
  PassedThrough,
  bytesOfTexts,
  isForTheClient,
  readableError,
  thrownArrival,
} from "./answered-call.ts";
import { runInScope } from "./call-scope.ts";
import { type CalledTool, type ToolCall, isUnfinished } from "./called-tool.ts";
import { type ContractState, placeOf } from "./contract-state.ts";
import { deliverArrival } from "./deliver-call.ts";
import { executeTool, gateTool, isThrownByTool } from "./execute-tool.ts";
import { type Caller, openCall } from "./open-call.ts";

/** One call from its arguments to the MCP result. Rejects only with errors that the client must handle. */
export function answerCall(
  state: ContractState,
  tool: CalledTool,
  args: unknown,
  request: CallRequest,
  caller?: Caller,
): Promise<AnsweredCall> {
  const openedAt = performance.now();
  const call = openCall(state, tool, args, request, caller);
  return runInScope(call, () => {
    const watches = state.events.start(() => observed(call));
    if (watches === undefined) return answer(state, call, openedAt, undefined);
    return state.events.watch(
      watches,
      (heard) => answer(state, call, openedAt, heard),
      (answered, durationMs) => factsOf(call, answered, durationMs),
    );
  });
}

/** What listeners are told when a call starts. */
function observed({ tool, identity, request }: ToolCall): ObservedCall {
  const { requestId, tenant, traceparent, tracestate } = identity;
  return {
    tool: tool.name,
    requestId,
    tenant,
    ...(request.sessionId === undefined ? {} : { session: request.sessionId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(request.trace === undefined ? {} : { carried: request.trace }),
  };
}

async function answer(
  state: ContractState,
  call: ToolCall,
  openedAt: number,
  watches: readonly CallWatch[] | undefined,
): Promise<AnsweredCall> {
  const { contract, notes } = call;
  if (contract.source.dialect === "flag") logLegacyUse(state, call);
  const askedAt = performance.now();
  let arrival: Arrival;
  try {
    arrival = await arrive(state, call);
  } catch (thrown) {
    state.events.unanswered(call, thrown, { openedAt, askedAt, arrivedAt: performance.now() });
    return passOn(thrown);
  }
  if (arrival.kind === "value" && isUnfinished(arrival.value))
    return unfinished(arrival.value as JsonObject, arrival);
  const arrivedAt = performance.now();
  logFaultCause(state, call, arrival);
  if (arrival.notes !== undefined) notes.take(arrival.notes);
  notes.measure({ duration_ms: Math.round((arrivedAt - askedAt) * 100) / 100 });
  for (const warning of contract.warnings) notes.warn(warning);
  return deliverArrival(state, call, arrival, { watches, times: { openedAt, askedAt, arrivedAt } });
}

/** Rejects only with an error that the client must handle, or with a response that a door wants passed on as it is. */
async function arrive(state: ContractState, call: ToolCall): Promise<Arrival> {
  const { refusal, tool, select, notes } = call;
  try {
    if (refusal !== undefined) throw refusal.error;
    gateTool(state, call);
    if (tool.config.rateLimit !== undefined || state.options.rateLimit !== undefined)
      await state.guards.limit(call);
    // A question that no result could answer is refused before the tool runs.
    if (select !== undefined) await state.questions.check(select);
    const arrival = await executeTool(state, call);
    // A repeated idempotency key gets the refusal of the first call.
    if (arrival.kind === "thrown" && !isThrownByTool(arrival.error)) notes.refuse();
    return arrival;
  } catch (thrown) {
    if (PassedThrough.isInstance(thrown)) throw thrown;
    const error = readableError(thrown);
    if (isForTheClient(error)) throw error;
    if (!isThrownByTool(error)) notes.refuse();
    return thrownArrival(error);
  }
}

/** A response that is not an answer yet has not failed. */
function passOn(thrown: unknown): AnsweredCall {
  if (!PassedThrough.isInstance(thrown) || !thrown.isUnfinished) throw thrown;
  return { ...unfinished({}, { kind: "value", value: undefined }), passed: thrown };
}

function unfinished(result: JsonObject, arrival: Arrival): AnsweredCall {
  return { result, outcome: undefined, arrival, isUntouched: false, dialect: undefined };
}

/** Each answer in the legacy form is a deprecated use; the log says until when the form works. */
function logLegacyUse({ effective, events }: ContractState, { tool, identity }: ToolCall): void {
  const { flag } = effective.flags?.evaluate(CONTRACT_FLAG, { client: identity.principal }) ?? {};
  const { requestId } = identity;
  const fields = { flag: CONTRACT_FLAG, sunset: flag?.sunset ?? null };
  events.trouble({ event: "legacy-response", level: "warn", requestId, tool: tool.name, fields });
}

/** A fault's message is for the model; its cause is only for the log and other listeners. */
function logFaultCause(state: ContractState, { identity, tool }: ToolCall, arrival: Arrival): void {
  if (arrival.kind !== "thrown" || !ToolFault.isInstance(arrival.error)) return;
  const { error } = arrival;
  if (error.cause === undefined) return;
  const { requestId } = identity;
  const fields = { error_code: error.code, ...placeOf(state, tool.name) };
  const level = error.type === "internal" ? "error" : "warn";
  state.events.trouble({ event: "tool-failed", level, requestId, tool: tool.name, error, fields });
}

// What listeners are told when a call ends.

/** A result that is not an answer yet has not failed. */
function factsOf(
  { contract, notes, tool }: ToolCall,
  { outcome, result, dialect: spoken }: AnsweredCall,
  durationMs: number,
): CallFacts {
  const { profile } = contract;
  const dialect = spoken ?? contract.dialect;
  const cut = outcome === undefined ? {} : cutOf(outcome);
  const common = {
    dialect,
    profile,
    cacheHit: notes.cacheHit,
    bytes: bytesOfTexts(result),
    durationMs,
    ...cut,
  };
  const counted = outcome?.notes.telemetry?.["redactions"];
  const redactions = typeof counted === "number" ? { redactions: counted } : {};
  const answersRetrieval = tool.answersRetrieval === true ? { answersRetrieval: true } : {};
  if (outcome === undefined || outcome.ok) return { ok: true, ...redactions, ...answersRetrieval, ...common };
  const { fault } = outcome;
  return { ok: false, errorCode: fault.code, errorType: fault.type, ...redactions, ...common };
}

/** Whether a result was cut, and whether the whole result is kept. */
function cutOf({ notes: { fidelity, warnings = [] } }: Outcome): Pick<CallFacts, "isCut" | "isArchived"> {
  if (fidelity === undefined || fidelity.level === "full") return {};
  if (Object.keys(fidelity.archives).length > 0) return { isCut: true, isArchived: true };
  const isLost = warnings.some(({ code }) => code === "ARCHIVE_WRITE_FAILED");
  return isLost ? { isCut: true, isArchived: false } : { isCut: true };
}
