import { ContractError } from "../contract/contract-error.ts";
import { describeValue } from "./describe-value.ts";

export type JsonRpcId = string | number;

/** A string or an integer; MCP has no null or fractional ids. */
export function isJsonRpcId(value: unknown): value is JsonRpcId {
  return typeof value === "string" || Number.isInteger(value);
}

export function assertJsonRpcId(id: unknown): asserts id is JsonRpcId {
  if (isJsonRpcId(id)) return;
  throw new ContractError("INVALID_OPTION", `The id is ${describeValue(id)}: ${adviceFor(id)}`, {
    option: "id",
  });
}

function adviceFor(id: unknown): string {
  if (id === undefined)
    return "a notification is never answered; use answerTo(message, make) to tell them apart.";
  if (id === null) return "only a parse error or an invalid request is answered without an id.";
  return "echo the request's id, a string or an integer.";
}
