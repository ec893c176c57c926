// A first look at a ready-made result under `auto`: most of them are successes that fit and of which nothing is to be
// said. They leave as they came, without being read, copied or rendered. Whatever is in doubt goes through the pipeline,
// which may come to the same end.

import type { JsonObject } from "../../core/json/json-value.ts";
import { byteLength } from "../runtime/byte-length.ts";
import type { Notes } from "../../core/contract/outcome.ts";
import { isNearEdge } from "../../core/contract/rate-limit.ts";
import { fitsWhole } from "../../core/pipeline/fit/fits-whole.ts";
import { mayNeedReading } from "../../core/pipeline/outcome/failure-signs.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { MaybePromise } from "../../core/pipeline/maybe-promise.ts";
import { deprecatedOf } from "./call-context.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";

/** Notes that a profile may show although the call itself noted nothing. */
const ownNotes = ["telemetry", "toolId", "toolVersion", "tier", "capabilities"] as const;

function hasSaid({ warnings, pagination, rateLimit, upgradeHints, fidelity, extra }: Notes): boolean {
  if (rateLimit !== undefined && isNearEdge(rateLimit)) return true;
  return [warnings, pagination, upgradeHints, fidelity, extra].some((note) => note !== undefined);
}

/** Whether the profile, or what was noted on the way, has anything to say beside the result. */
function isSilent({ contract, notes }: ToolCall, arrival: Arrival): boolean {
  const { show } = contract.profileObject;
  if (show.rateLimit === "always" || ownNotes.some((note) => show[note] === "always")) return false;
  return !hasSaid(notes.toNotes()) && (arrival.notes === undefined || !hasSaid(arrival.notes));
}

/** Whether the stage `shape` would leave any success of this call alone. */
function isShapeless({ masksSuccesses }: ContractState, { contract, tool, select }: ToolCall): boolean {
  if (select !== undefined || masksSuccesses || contract.filter !== undefined || contract.encoding !== "json")
    return false;
  return deprecatedOf(tool) === undefined;
}

function fits(state: ContractState, { contract }: ToolCall, result: JsonObject): MaybePromise<boolean> {
  const { maxBlobBytes } = contract.tool;
  return fitsWhole(result, { budget: contract.budget, counter: state.counter, byteLength, maxBlobBytes });
}

/** True where one look shows that the result may go out as it is. */
export function isBestUntouched(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
): MaybePromise<boolean> {
  if (arrival.kind !== "result" || !isSilent(call, arrival) || !isShapeless(state, call)) return false;
  if (mayNeedReading(arrival.result)) return false;
  // A widget reads its tool's data itself, so that is never cut.
  return call.contract.tool.staysPlain ? true : fits(state, call, arrival.result);
}
