// What the log says about a call besides its start and its end.

import type { Outcome } from "../../core/contract/outcome.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { CONTRACT_FLAG } from "../settings/flags-and-tiers/define-flags.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { isDeclared } from "../settings/declared-faults.ts";

/** Each answer in the legacy form is a deprecated use; the log says until when the form works. */
export function tellLegacy({ effective, events }: ContractState, { tool, identity }: ToolCall): void {
  const { flag } = effective.flags?.evaluate(CONTRACT_FLAG, { client: identity.principal }) ?? {};
  const { requestId } = identity;
  const fields = { flag: CONTRACT_FLAG, sunset: flag?.sunset ?? null };
  events.trouble({ event: "legacy-response", level: "warn", requestId, tool: tool.name, fields });
}

/** Whether the author probably reads the log: advice about a tool's code is only for the author. */
export function isDevelopment(): boolean {
  return typeof process === "undefined" || process.env["NODE_ENV"] !== "production";
}

/** Metadata in the data is sent as it is; the log says once for each tool where the metadata belongs. */
export function logMetadataInData(
  state: ContractState,
  { tool, contract, identity }: ToolCall,
  outcome?: Outcome,
): void {
  if (outcome?.ok !== true) return;
  const keys = traitsOf(contract.dialect).strays?.(outcome.data) ?? [];
  if (keys.length === 0) return;
  if (!state.isNews(`strays ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { rule: "data/no-metadata", keys };
  state.events.trouble({ event: "metadata-in-data", level: "warn", requestId, tool: tool.name, fields });
}

/** Reports a tool that declares its faults but fails with another code: its docs and tests do not have that code. */
export function logUndeclaredFault(
  state: ContractState,
  { tool, identity }: ToolCall,
  outcome: Outcome | undefined,
): void {
  if (outcome?.ok !== false || tool.config.errors === undefined) return;
  const { code } = outcome.fault;
  if (isDeclared(tool.config.errors, code) || !isDevelopment()) return;
  if (!state.isNews(`fault ${code} ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { error_code: code, declared: Object.keys(tool.config.errors) };
  state.events.trouble({ event: "fault-not-declared", level: "warn", requestId, tool: tool.name, fields });
}

/** A fault's message is for the model; its cause is only for the log and other listeners. */
export function logFaultCause(
  { events }: ContractState,
  { identity, tool }: ToolCall,
  arrival: Arrival,
): void {
  if (arrival.kind !== "thrown" || !ToolFault.isInstance(arrival.error)) return;
  const { error } = arrival;
  if (error.cause === undefined) return;
  const { requestId } = identity;
  const fields = { error_code: error.code };
  const level = error.type === "internal" ? "error" : "warn";
  events.trouble({ event: "tool-failed", level, requestId, tool: tool.name, error, fields });
}
