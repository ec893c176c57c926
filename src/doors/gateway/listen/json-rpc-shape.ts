import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";

const requestKeys = new Set(["jsonrpc", "id", "method", "params"]);
const resultKeys = new Set(["jsonrpc", "id", "result"]);
const errorKeys = new Set(["jsonrpc", "id", "error"]);

function hasOnly(message: JsonObject, keys: ReadonlySet<string>): boolean {
  for (const key in message) if (!keys.has(key)) return false;
  return true;
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isInteger(id);
}

/** A progress token is a text or an integer; the SDKs refuse messages with any other. */
function hasSoundParams({ params }: JsonObject): boolean {
  if (params === undefined) return true;
  if (!isJsonObject(params)) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  return isJsonObject(meta) && (meta["progressToken"] === undefined || isRequestId(meta["progressToken"]));
}

export type MessageShape = "request" | "notification" | "response";

/** The kind of JSON-RPC message, judged as strictly as by the SDKs' servers; undefined if it is not a message. */
export function shapeOf(message: unknown): MessageShape | undefined {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return undefined;
  const { method, id } = message;
  if (typeof method === "string") {
    if (!hasOnly(message, requestKeys) || !hasSoundParams(message)) return undefined;
    if (id === undefined) return "notification";
    return isRequestId(id) ? "request" : undefined;
  }
  if (isJsonObject(message["result"]))
    return isRequestId(id) && hasOnly(message, resultKeys) ? "response" : undefined;
  const { error } = message;
  if (!isJsonObject(error) || !hasOnly(message, errorKeys)) return undefined;
  const isError = Number.isInteger(error["code"]) && typeof error["message"] === "string";
  return isError && (id === undefined || isRequestId(id)) ? "response" : undefined;
}
