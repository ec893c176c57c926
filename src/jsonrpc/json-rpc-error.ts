import { ContractError } from "../contract/contract-error.ts";
import type { JsonValue } from "../json/json-value.ts";
import { assertCarriable } from "./assert-result.ts";
import { describeMember } from "./describe-value.ts";
import { isUnreadableCode, jsonRpcCodes } from "./json-rpc-codes.ts";
import { assertJsonRpcId, type JsonRpcId } from "./json-rpc-id.ts";

export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export interface JsonRpcError {
  readonly jsonrpc: "2.0";
  readonly error: JsonRpcErrorObject;
  /** Null only where the request's id could not be read. */
  readonly id: JsonRpcId | null;
}

/**
 * The answer to a request that the protocol refuses; a tool that fails answers with `toolResult` instead.
 *
 * @example
 * jsonRpcError(3, { code: -32601, message: "Method not found: invalid_method" });
 */
export function jsonRpcError(
  id: JsonRpcId | null,
  { code, message, data }: JsonRpcErrorObject,
): JsonRpcError {
  if (!Number.isInteger(code)) {
    refuse("code", code, "use an integer, outside -32768..-32000 for your own errors.");
  }
  if (typeof message !== "string" || message === "")
    refuse("message", message, "say in a sentence what went wrong.");
  if (id !== null || !isUnreadableCode(code)) assertJsonRpcId(id);
  if (data === undefined) return { jsonrpc: "2.0", error: { code, message }, id };
  assertCarriable(data, "data");
  return { jsonrpc: "2.0", error: { code, message, data }, id };
}

function refuse(option: string, value: unknown, advice: string): never {
  throw new ContractError("INVALID_OPTION", `${describeMember(option, value)}: ${advice}`, { option });
}

/** The answer to text that is no JSON. */
export function parseError(): JsonRpcError {
  return jsonRpcError(null, jsonRpcCodes.parseError);
}

/** The answer to JSON that is no request; give the id if it could be read. */
export function invalidRequest(id: JsonRpcId | null = null): JsonRpcError {
  return jsonRpcError(id, jsonRpcCodes.invalidRequest);
}

export function methodNotFound(id: JsonRpcId, method: string): JsonRpcError {
  const { code, message } = jsonRpcCodes.methodNotFound;
  return jsonRpcError(id, { code, message: `${message}: ${method}` });
}

/** The text is sent as it is, such as `Unknown tool: search`; without one, the standard message. */
export function invalidParams(id: JsonRpcId, text: string, data?: JsonValue): JsonRpcError {
  const { code, message } = jsonRpcCodes.invalidParams;
  return jsonRpcError(id, withData(code, text === "" ? message : text, data));
}

/** The text goes to the client: never the text of an exception. */
export function internalError(id: JsonRpcId, safeText: string, data?: JsonValue): JsonRpcError {
  const { code, message } = jsonRpcCodes.internalError;
  return jsonRpcError(id, withData(code, safeText === "" ? message : `${message}: ${safeText}`, data));
}

function withData(code: number, message: string, data: JsonValue | undefined): JsonRpcErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}
