// An upstream result that has not been parsed yet: it is still the bytes of its message. Parsing a large
// result would block this thread for too long, so a door that has the bytes may have the result delivered in
// another thread.

import type { Notes } from "../../core/contract/outcome.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import type { AnsweredCall } from "./run-call.ts";

/** Delivers a result in another thread; undefined if it must be parsed and delivered here. */
export type DeliverElsewhere = (
  state: ContractState,
  call: ToolCall,
  notes: Notes,
) => Promise<AnsweredCall | undefined>;

/** An arrival that another thread can deliver. */
type UnreadArrival = Arrival & { readonly deliverElsewhere?: DeliverElsewhere };

/** A result that is parsed at the first access, if there is one. */
export function unreadArrival(
  read: () => JsonObject,
  deliver: DeliverElsewhere,
  isDocument: boolean | undefined,
): Arrival {
  let known: JsonObject | undefined;
  const arrival: UnreadArrival = {
    kind: "result",
    isDocument,
    deliverElsewhere: deliver,
    get result() {
      known ??= read();
      return known;
    },
  };
  return arrival;
}

/** How an unparsed arrival is delivered in another thread; undefined for any other arrival. */
export function elsewhereOf(arrival: UnreadArrival): DeliverElsewhere | undefined {
  return arrival.deliverElsewhere;
}
