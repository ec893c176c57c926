import { ContractError } from "../contract/contract-error.ts";
import type { Failure } from "../contract/outcome.ts";
import type { JsonObject } from "../json/json-value.ts";
import { validateResponse } from "../pipeline/dialect/validate-response.ts";
import type { PipelineContext, ToolResult } from "../pipeline/parcel.ts";
import type { ContractState } from "./contract-state.ts";
import type { CallContract } from "./settings/settings-resolver.ts";
import { type FittedTool, fitContextOf } from "./fit-context.ts";
import type { CallIdentity } from "./identify-call.ts";

/** The author's own mapping; one that fails leaves the error internal, and is named in the log. */
function mapErrorOf({ options, log }: ContractState): (error: unknown) => Failure | undefined {
  return (error) => {
    try {
      return options.mapError?.(error)?.toOutcome();
    } catch (failure) {
      log.error("map-error-failed", { err: failure });
      return undefined;
    }
  };
}

export function contextOf(
  state: ContractState,
  tool: { readonly id: string; readonly version?: string },
  contract: CallContract,
  identity: CallIdentity,
  { fitted, args }: { readonly fitted: FittedTool; readonly args: unknown },
): PipelineContext {
  const context = bareContext(state, tool, contract, identity);
  const fit = fitContextOf(state, fitted, contract, args, context, identity.isAnonymous);
  if (fit === undefined) return context;
  return { ...context, fit, ...(state.archive.isOn ? { keep: state.archive.keepFor(identity.tenant) } : {}) };
}

function bareContext(
  state: ContractState,
  tool: { readonly id: string; readonly version?: string },
  contract: CallContract,
  identity: CallIdentity,
): PipelineContext {
  const { redactor, log } = state;
  return {
    tool,
    dialect: contract.dialect,
    profile: contract.profileObject,
    delivery: contract.tool.delivery,
    ...(contract.tool.draftNotes === undefined ? {} : { draftNotes: contract.tool.draftNotes }),
    requestId: identity.requestId,
    requestIdFrom: identity.requestIdFrom,
    filter: contract.filter,
    encoding: contract.encoding,
    mapError: mapErrorOf(state),
    ...(redactor === undefined ? {} : { redact: (value) => redactor.json(value) }),
    log: ({ requestId, tool: name, error, event = "tool-failed" }) =>
      log.error(event, { request_id: requestId, tool: name, err: error }),
  };
}

/** Every outgoing result checked, where someone asked for it. */
export function assertValid(result: ToolResult, contract: CallContract): void {
  if (contract.tool.validate !== "always") return;
  const { valid, violations } = validateResponse(result, { dialect: contract.dialect, level: "result" });
  if (valid) return;
  const list = violations as unknown as readonly JsonObject[];
  throw new ContractError("INVALID_ENVELOPE", "A result broke the contract: see the violations.", {
    violations: list,
  });
}
