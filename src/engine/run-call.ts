import type { Outcome } from "../contract/outcome.ts";
import { stripWaybill } from "../advertise/input-schema.ts";
import type { CallFacts } from "../observe/telemetry-names.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { CONTRACT_META_KEY } from "../negotiation/read-asked.ts";
import { type CompiledFilter, compileFilter, narrow } from "../pipeline/shape/compile-filter.ts";
import { answerCall } from "./answer-call.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractState } from "./contract-state.ts";
import { type CallContract, bareContract } from "./settings/settings-resolver.ts";
import type { ToolCall } from "./execute-tool.ts";
import { identifyCall } from "./identify-call.ts";
import { NoteTaker } from "./note-taker.ts";
import { runInScope } from "./request-scope.ts";
import type { ToolDefinition } from "./tool-definition.ts";

export { assertValid, contextOf } from "./call-context.ts";

/** The configured filter, then the fields the model asked for; a list nobody can read asks for nothing. */
function filterOf(
  { filter }: CallContract,
  fields: readonly string[] | undefined,
  notes: NoteTaker,
): CompiledFilter {
  if (fields === undefined || fields.length === 0) return filter;
  try {
    return narrow(filter, compileFilter({ includeOnly: fields }));
  } catch {
    notes.warn("_waybill.fields is not understood and was ignored");
    return filter;
  }
}

/** Who calls; where an author's own function throws instead of saying so, nobody's call is run. */
function identify(
  { options }: ContractState,
  request: CallRequest,
): Pick<ToolCall, "identity" | "tier" | "refusal"> {
  // What nobody verified must not be able to choose a tier.
  const { bearerHash: _, ...verified } = request;
  try {
    return {
      identity: identifyCall(request, options),
      tier: options.tiers?.of(verified),
      refusal: undefined,
    };
  } catch (error) {
    const { tenant: _tenant, requestIds: _ids, ...bare } = options;
    return { identity: identifyCall(request, bare), tier: undefined, refusal: { error } };
  }
}

/** How to answer; settings that cannot be read refuse the call, in the default form and without a filter to trust. */
function choose(
  state: ContractState,
  tool: ToolDefinition,
  request: CallRequest,
  principal: string | undefined,
): { readonly contract: CallContract; readonly refusal?: { readonly error: unknown } } {
  try {
    return { contract: state.effective.forCall(state.effective.toolContract(tool), request, principal) };
  } catch (error) {
    return { contract: bareContract(tool.name), refusal: { error } };
  }
}

/** A budget the model asked for in its arguments counts as one the client asked for beside them. */
function askFor(request: CallRequest, budgetTokens: number | undefined): CallRequest {
  if (budgetTokens === undefined) return request;
  const asked = request.meta[CONTRACT_META_KEY];
  const contract = { ...(isJsonObject(asked) ? asked : {}), budget_tokens: budgetTokens };
  return { ...request, meta: { ...request.meta, [CONTRACT_META_KEY]: contract } };
}

type CallVerdict = Pick<CallFacts, "ok" | "errorCode" | "errorType" | "redactions">;

/** A result that is no answer yet has not failed. */
function verdictOf(outcome: Outcome | undefined): CallVerdict {
  if (outcome === undefined || outcome.ok) return { ok: true };
  const { fault, notes } = outcome;
  const redactions = notes.telemetry?.["redactions"];
  return {
    ok: false,
    errorCode: fault.code,
    errorType: fault.type,
    ...(typeof redactions === "number" ? { redactions } : {}),
  };
}

/** One call from the request's arguments to the MCP result. Never rejects, but for what is the client's to handle. */
export async function runCall(
  state: ContractState,
  tool: ToolDefinition,
  rawArgs: unknown,
  request: CallRequest,
): Promise<JsonObject> {
  const caller = identify(state, request);
  const { requestId, principal, tenant, traceparent, tracestate } = caller.identity;
  const { takesWaybill } = state.effective.toolContract(tool);
  const { args, waybill } = takesWaybill ? stripWaybill(rawArgs) : { args: rawArgs, waybill: undefined };
  const { contract, refusal } = choose(state, tool, askFor(request, waybill?.budgetTokens), principal);
  const notes = new NoteTaker();
  for (const name of waybill?.ignored ?? []) notes.warn(`_waybill.${name} is not understood and was ignored`);
  const call: ToolCall = {
    tool,
    args,
    cursor: waybill?.cursor,
    request,
    notes,
    budget: contract.budget,
    ...caller,
    ...(refusal && { refusal }),
  };
  const filter = filterOf(contract, waybill?.fields, notes);
  const observed = {
    tool: tool.name,
    requestId,
    tenant,
    ...(request.sessionId === undefined ? {} : { session: request.sessionId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  };
  const started = performance.now();
  const done = await runInScope({ requestId, faults: [] }, () =>
    state.observer.observe(
      observed,
      () => answerCall(state, call, contract, filter),
      ({ outcome }) => ({
        ...verdictOf(outcome),
        dialect: contract.dialect,
        profile: contract.profile,
        cacheHit: notes.cacheHit,
        durationMs: performance.now() - started,
      }),
    ),
  );
  return done.result;
}
