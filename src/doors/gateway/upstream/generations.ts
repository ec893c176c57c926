// Requests of a server to its client carry the server's own ids, and each process counts from the start. From the
// second process on, ids are marked, so that an answer to the old process never reaches the new one.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type Glance, glance, withRawId } from "../../../engine/transport/raw-message.ts";

function markOf(generation: number): string {
  return `waybill-process-${generation}-`;
}

function parse(bytes: Buffer): JsonObject {
  const json: unknown = JSON.parse(bytes.toString());
  return isJsonObject(json) ? json : {};
}

/** Cancels a request by the id that the client knows. */
function markCancelled(bytes: Buffer, generation: number): Buffer {
  const message = parse(bytes);
  const { params } = message;
  if (!isJsonObject(params)) return bytes;
  const requestId = markOf(generation) + JSON.stringify(params["requestId"]);
  return Buffer.from(JSON.stringify({ ...message, params: { ...params, requestId } }));
}

/** A message of the server as the client receives it. */
export function fromGeneration(bytes: Buffer, { kind, method, rawId }: Glance, generation: number): Buffer {
  try {
    if (kind === "request") return withRawId(bytes, JSON.stringify(markOf(generation) + rawId));
    if (method === "notifications/cancelled") return markCancelled(bytes, generation);
    if (kind !== "unclear") return bytes;
    const { id, method: said } = parse(bytes);
    if (typeof said !== "string" || id === undefined) return bytes;
    return withRawId(bytes, JSON.stringify(markOf(generation) + JSON.stringify(id)));
  } catch {
    return bytes;
  }
}

/** A message of the client as the server receives it; undefined for an answer to a request of an older process. */
export function toGeneration(
  message: Uint8Array | string,
  generation: number,
): Uint8Array | string | undefined {
  const bytes = Buffer.isBuffer(message) ? message : Buffer.from(message as string);
  const { kind } = glance(bytes);
  if (kind === "request" || kind === "notification") return message;
  const { id, method } = parse(bytes);
  if (method !== undefined) return message;
  const mark = markOf(generation);
  return typeof id === "string" && id.startsWith(mark) ? withRawId(bytes, id.slice(mark.length)) : undefined;
}
