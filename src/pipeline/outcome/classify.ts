// Says what happened: a handler's value becomes a success, anything thrown a fault.
// Promises one model for every arrival, with a request id, and a code on every failure.
// Never lets the text, stack or path of an unforeseen error reach the model; they go to the log.

import type { Failure, Outcome } from "../../contract/outcome.ts";
import { ToolFault } from "../../contract/tool-fault.ts";
import { faults } from "../../contract/faults.ts";
import { findNonJson } from "../../json/find-non-json.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { type Parcel, type PipelineContext, stamp } from "../parcel.ts";

function internal(error: unknown, provenance: string, context: PipelineContext): Failure {
  context.log?.({ requestId: context.requestId, tool: context.tool.id, error });
  const failure = faults.internal().toOutcome();
  return { ...failure, notes: { ...failure.notes, provenance } };
}

function fromThrown(error: unknown, context: PipelineContext): Failure {
  if (!ToolFault.isInstance(error)) return internal(error, "handler", context);
  const failure = error.toOutcome();
  return { ...failure, notes: { provenance: "handler", ...failure.notes } };
}

function fromValue(value: unknown, context: PipelineContext): Outcome {
  if (value === undefined || value === null) return { ok: true, data: {}, notes: {} };
  const problem = findNonJson(value);
  if (problem !== undefined) return internal(new TypeError(problem.message), "handler", context);
  return { ok: true, data: value as JsonValue, notes: {} };
}

export function classify(parcel: Parcel, context: PipelineContext): Parcel {
  const { arrival } = parcel;
  const bare =
    arrival.kind === "value" ? fromValue(arrival.value, context) : fromThrown(arrival.error, context);
  const { tool, tier } = context;
  const facts = {
    requestId: context.requestId,
    toolId: tool.id,
    ...(tool.version === undefined ? {} : { toolVersion: tool.version }),
    ...(tier === undefined ? {} : { tier }),
  };
  const outcome: Outcome = { ...bare, notes: { ...facts, ...arrival.notes, ...bare.notes } };
  return stamp(parcel, "outcome", outcome.ok ? "success" : `failure ${outcome.fault.code}`, { outcome });
}
