import type { DeliverUnread } from "../../../engine/session/upstream-requests.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { openStandIn } from "../../../engine/call/stand-in.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type ApartDelivery, asBuffer, ownBytes } from "./apart-messages.ts";
import { canDeliverApart, deliverApart } from "./deliver-apart.ts";
import { plainCall } from "./plain-call.ts";

/** Messages from here on are delivered in another thread: handing a shorter one over takes longer than reading it. */
export const LARGE_BYTES = 1024 * 1024;

/** The message of a large result, and what is sent instead of it. */
export interface UnreadAnswer {
  /** The message as it came; gone while it is elsewhere. */
  readonly bytes: () => Buffer;
  readonly deliver: DeliverUnread;
}

/** A result that is written already: its JSON, or the message that it came in. */
export interface Written {
  readonly text: Buffer | undefined;
  readonly bytes: Buffer | undefined;
}

/** Where results go that are written already. */
type TakeWritten = (result: JsonObject, written: Written) => void;

function answerOf(delivery: ApartDelivery, take: TakeWritten) {
  const { text, bytes, sent, arrived, outcome, dialect, source, trace } = delivery;
  const isUntouched = bytes !== undefined;
  const result = sent.texts.length > 0 ? openStandIn(sent) : sent.result;
  take(result, { text: text && asBuffer(text), bytes: bytes && asBuffer(bytes) });
  const arrival = { kind: "result", result: isUntouched ? result : openStandIn(arrived) } as const;
  return { result, outcome, arrival, isUntouched, isFinished: true, dialect, source, trace };
}

let isTold = false;

/** Says once that there is no other thread. */
function tellMissing({ log }: ContractState): undefined {
  if (!isTold)
    log.warn("large-results-here", {
      hint: "No worker thread can be started: while a large result is read, other calls wait.",
    });
  isTold = true;
  return undefined;
}

/** A message that is large enough to be worked on elsewhere. */
export function unreadAnswer(message: Buffer, take: TakeWritten): UnreadAnswer {
  let bytes = message;
  const deliver: DeliverUnread = async (state, call, notes, signal) => {
    const plain = plainCall(state, call, notes);
    if (plain === undefined) return undefined;
    if (!canDeliverApart()) return tellMissing(state);
    const ending = await deliverApart({
      bytes: ownBytes(bytes),
      call: plain,
      keep: state.archive.keepFor(call.identity.tenant),
      trouble: (event) => state.events.trouble(event),
      log: ({ level, event, fields }) => state.log[level](event, { ...fields }),
      signal,
    });
    if (ending === undefined) return tellMissing(state);
    if (ending.kind === "delivered") return answerOf(ending, take);
    bytes = asBuffer(ending.bytes);
    return undefined;
  };
  return { bytes: () => bytes, deliver };
}
