import { type JsonObject, isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { answerTo, invalidRequest, parseError } from "../../core/protocol/json-rpc-error.ts";

/** One line of a connection: a message to pass on, an answer to a line that is not a message, or nothing. */
export type ReadMessage =
  | { readonly kind: "message"; readonly message: JsonObject }
  | { readonly kind: "answer"; readonly answer: object }
  | { readonly kind: "nothing" };

const nothing: ReadMessage = { kind: "nothing" };

/** Whether a message without an answer is valid: a notification, or the answer to our request. Others are dropped. */
function isSound({ params, result, error, id }: JsonObject): boolean {
  if (result === undefined && error === undefined) return params === undefined || isJsonObject(params);
  // A null beside the other key is ignored: some libraries write both keys in every answer.
  const isResult = result !== undefined && !(result === null && isJsonObject(error));
  const isError = error !== undefined && !(error === null && result !== undefined);
  return isResult !== isError && (id !== undefined || isError);
}

/** True for a request in its usual form; only other messages need the complete check. */
function isPlainRequest({ jsonrpc, id, method, params, result, error }: JsonObject): boolean {
  return (
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    (typeof id === "string" || Number.isInteger(id)) &&
    (params === undefined || isJsonObject(params)) &&
    result === undefined &&
    error === undefined
  );
}

/**
 * Reads one line as JSON-RPC requires: a line that does not parse is answered with -32700 and a null id, a
 * line that is not a request with -32600 and its id if that can be read. In MCP a batch is not a request
 * since 2025-06-18.
 */
export function readMessage(line: string): ReadMessage {
  const json = jsonIn(line);
  if (json === undefined) return line.trim() === "" ? nothing : { kind: "answer", answer: parseError() };
  if (!isJsonObject(json)) return { kind: "answer", answer: invalidRequest() };
  if (isPlainRequest(json)) return { kind: "message", message: json };
  const answer = answerTo(json, () => "request" as const);
  if (answer === "request") return { kind: "message", message: json };
  if (answer !== undefined) return { kind: "answer", answer };
  return isSound(json) ? { kind: "message", message: json } : nothing;
}
