import { type JsonObject, isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { glance, memberSpans, rawIdOf, withRawId } from "../raw-message.ts";

/** A message on its way to the server. */
export interface Outgoing {
  readonly bytes: Buffer;
  readonly message: JsonObject;
  readonly method: string | undefined;
  /** For a request: the key that identifies its answer, and the JSON text of its id. */
  readonly key: string | undefined;
  readonly rawId: string | undefined;
  /** The key of the request that this message cancels. */
  readonly cancels: string | undefined;
  /** True for the second attempt, in a new session. */
  readonly isAgain: boolean;
}

/** Reads what the link must know of a message; undefined for a text that is not a message. */
export function outgoing(sent: Uint8Array | string): Outgoing | undefined {
  const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from(sent as string);
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined) return undefined;
  const { id, method, params } = message;
  const named = typeof method === "string" ? method : undefined;
  const isRequest = named !== undefined && id !== undefined && id !== null;
  const isCancel =
    named === "notifications/cancelled" && isJsonObject(params) && params["requestId"] !== undefined;
  return {
    bytes,
    message,
    method: named,
    key: isRequest ? JSON.stringify(id) : undefined,
    rawId: isRequest ? (rawIdOf(bytes) ?? JSON.stringify(id)) : undefined,
    cancels: isCancel ? JSON.stringify(params["requestId"]) : undefined,
    isAgain: false,
  };
}

/** Whether a message of the server is the response that a request waits for. For most messages the two ends show it. */
export function isAnswerTo({ key }: Pick<Outgoing, "key">, bytes: Buffer): boolean {
  const { kind, rawId } = glance(bytes);
  if (kind === "response" && JSON.stringify(JSON.parse(rawId)) === key) return true;
  if (kind === "request" || kind === "notification") return false;
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined || message["method"] !== undefined) return false;
  const { id } = message;
  return (typeof id === "string" || typeof id === "number") && JSON.stringify(id) === key;
}

/** A JSON-RPC error as the answer to a request: servers that refuse early often do not repeat its id. */
export function spliceError(bytes: Buffer, rawId: string): Buffer | undefined {
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined || !isJsonObject(message["error"]) || message["method"] !== undefined)
    return undefined;
  if (message["id"] !== undefined) return withRawId(bytes, rawId);
  // Copied as text: an error that is nested too deep could not be written again.
  const error = memberSpans(bytes.toString("latin1")).get("error");
  const said = bytes.subarray(error?.start, error?.end);
  return Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"error":`), said, Buffer.from("}")]);
}
