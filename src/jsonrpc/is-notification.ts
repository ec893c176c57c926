import { isJsonObject } from "../json/json-value.ts";

/** A request without an id, which is never answered; what lacks version or method is an invalid request instead. */
export function isNotification(message: unknown): boolean {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return false;
  return typeof message["method"] === "string" && message["id"] === undefined;
}
