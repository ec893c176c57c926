// Judges one JSON-RPC message, or a batch of them, by the rules of rules.ts.
// It promises a verdict for any JSON value, with one rule for each mistake, and never throws on JSON of any shape or depth.
// It never changes the message, and never judges a tool result itself: that check is handed in.
import { violate, type Violation } from "../contract/rule.ts";
import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { checkRequest, isRequestLike } from "./check-request.ts";
import { type ResponseContext, checkResponse, toExchange } from "./check-response.ts";
import { describeValue } from "./message-values.ts";
import { rules } from "./rules.ts";

export interface ValidateMessageOptions {
  /** The method that was called; else the request's, else inferred from the result's keys. */
  readonly method?: string | undefined;
  /** The request, or the batch of requests, that the message answers. */
  readonly request?: unknown;
  /** The rules of a tool result; their paths are relative to it. */
  readonly checkToolResult?: ((result: JsonValue) => readonly Violation[]) | undefined;
}

export interface MessageVerdict {
  /** False only when a MUST is broken. */
  readonly valid: boolean;
  readonly violations: Violation[];
}

/**
 * The verdict on a request, a notification, a response, or a batch.
 *
 * @example
 * validateMessage(JSON.parse(line), { request }).violations.map(({ rule, path }) => `${rule} at ${path}`);
 */
export function validateMessage(json: unknown, options: ValidateMessageOptions = {}): MessageVerdict {
  const { method, request, checkToolResult } = options;
  const context = { method, checkToolResult, exchange: toExchange(request) };
  const violations = Array.isArray(json) ? checkBatch(json, context) : checkMessage(json, "", context);
  return { valid: violations.every(({ severity }) => severity !== "MUST"), violations };
}

function checkBatch(batch: readonly unknown[], context: ResponseContext): Violation[] {
  if (batch.length === 0) return [violate(rules["jsonrpc/batch-empty"], "", "The batch is empty")];
  return batch.flatMap((message, index) => checkMessage(message, `/${index}`, context));
}

function checkMessage(message: unknown, path: string, context: ResponseContext): Violation[] {
  if (!isJsonObject(message)) {
    return [violate(rules["jsonrpc/object"], path, `The message is ${describeValue(message)}`)];
  }
  return isRequestLike(message) ? checkRequest(message, path) : checkResponse(message, path, context);
}
