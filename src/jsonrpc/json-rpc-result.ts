import { assertResult } from "./assert-result.ts";
import { assertJsonRpcId, type JsonRpcId } from "./json-rpc-id.ts";

export interface JsonRpcResult<Result extends object = object> {
  readonly jsonrpc: "2.0";
  readonly result: Result;
  readonly id: JsonRpcId;
}

/**
 * The answer to a request that succeeded, in the key order of seed 003.
 *
 * @example
 * jsonRpcResult(1, toolResult({ json: [{ id: 1, name: "Alice" }] }));
 */
export function jsonRpcResult<Result extends object>(id: JsonRpcId, result: Result): JsonRpcResult<Result> {
  assertJsonRpcId(id);
  assertResult(result);
  return { jsonrpc: "2.0", result, id };
}
