import { type DeliverElsewhere, unreadArrival } from "../call/raw-result.ts";
import { CallCancelled } from "../call/unanswered.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import type { RunningCall } from "./running-call.ts";
import type { UnreadResponse } from "./upstream-requests.ts";

/** How an answer that is still bytes is read, where it has to be, and what is known of it before. */
interface Reading {
  readonly running: RunningCall;
  readonly read: () => JsonObject;
  readonly isDocument: boolean | undefined;
}

/** Large answers of one connection that nobody has read, and those among them that other threads deliver. */
export class UnreadAnswers {
  readonly #elsewhere = new Set<AbortController>();

  arrivalOf({ deliver }: UnreadResponse, { running, read, isDocument }: Reading): Arrival {
    const control = new AbortController();
    running.onCancel((reason) => control.abort(reason));
    const deliverElsewhere: DeliverElsewhere = (...given) => {
      this.#elsewhere.add(control);
      return deliver(...given, control.signal).finally(() => this.#elsewhere.delete(control));
    };
    return unreadArrival(read, deliverElsewhere, isDocument);
  }

  /** Nobody waits for them any more. */
  close(): void {
    for (const control of this.#elsewhere) control.abort(new CallCancelled("The connection was closed"));
  }
}
