import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { isNotification } from "./is-notification.ts";
import { isJsonRpcId } from "./json-rpc-id.ts";

/** What is known of the requests that a message may answer. */
export interface Exchange {
  /** The requests by id; a null id is kept, since its answer echoes it. */
  readonly byId: ReadonlyMap<JsonValue, JsonObject>;
  /** Some request can be named by an answer. */
  readonly expectsId: boolean;
  /** Only notifications were sent, so nothing may come back. */
  readonly expectsNothing: boolean;
}

export function toExchange(request: unknown): Exchange {
  const requests: readonly unknown[] = Array.isArray(request)
    ? request
    : request === undefined
      ? []
      : [request];
  const byId = new Map<JsonValue, JsonObject>();
  for (const one of requests) {
    if (isJsonObject(one) && one["id"] !== undefined) byId.set(one["id"], one);
  }
  return {
    byId,
    expectsId: [...byId.keys()].some(isJsonRpcId),
    expectsNothing: requests.length > 0 && requests.every(isNotification),
  };
}
