// A result of another server that nobody has read yet: it is still the bytes of its message. Reading a large one takes
// longer than everybody else on this thread can wait, so whoever has the bytes may have it delivered elsewhere.

import type { Notes } from "../../core/contract/outcome.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import type { AnsweredCall } from "./run-call.ts";

/** Delivers a result elsewhere; undefined where it has to be read and delivered here. */
export type DeliverElsewhere = (
  state: ContractState,
  call: ToolCall,
  notes: Notes,
) => Promise<AnsweredCall | undefined>;

const elsewhere = new WeakMap<Arrival, DeliverElsewhere>();

/** A result that is read by the first who looks into it, if anybody has to. */
export function unreadArrival(
  read: () => JsonObject,
  deliver: DeliverElsewhere,
  isDocument: boolean | undefined,
): Arrival {
  let known: JsonObject | undefined;
  const arrival: Arrival = {
    kind: "result",
    isDocument,
    get result() {
      known ??= read();
      return known;
    },
  };
  elsewhere.set(arrival, deliver);
  return arrival;
}

/** How an arrival that nobody has read is delivered elsewhere; undefined for every other one. */
export function elsewhereOf(arrival: Arrival): DeliverElsewhere | undefined {
  return elsewhere.get(arrival);
}
