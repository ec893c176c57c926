// Requests of servers to their client carry the servers' own ids, and each server counts from the start. On the way to
// the client an id gets the place of its server; on the way back it loses it.

import { type JsonObject, isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { withRawId } from "../../../engine/transport/raw-message.ts";

const MARK = "waybill-server-";
const marked = /^waybill-server-(\d{1,4})-(.*)$/s;

function markOf(place: number, rawId: string): string {
  return JSON.stringify(`${MARK}${place}-${rawId}`);
}

/** A request of the server at this place, as the client receives it. */
export function toClientRequest(bytes: Buffer, rawId: string, place: number): Buffer {
  return withRawId(bytes, markOf(place, rawId));
}

/** A server cancels its request by the id that the client knows. */
export function withMarkedCancel(bytes: Buffer, place: number): Buffer {
  const message = jsonObjectIn(bytes.toString());
  const params = message?.["params"];
  if (message === undefined || !isJsonObject(params)) return bytes;
  const requestId = `${MARK}${place}-${JSON.stringify(params["requestId"])}`;
  return Buffer.from(JSON.stringify({ ...message, params: { ...params, requestId } }));
}

/** The client's answer to such a request, as its server receives it; undefined if no server asked. */
export function fromClientAnswer(
  bytes: Buffer,
  { id }: JsonObject,
): { readonly place: number; readonly bytes: Buffer } | undefined {
  const [, place, rawId] = (typeof id === "string" && marked.exec(id)) || [];
  if (place === undefined || rawId === undefined) return undefined;
  return { place: Number(place), bytes: withRawId(bytes, rawId) };
}
