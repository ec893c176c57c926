import { ContractError } from "../contract/contract-error.ts";
import type { Violation } from "../contract/rule.ts";
import { findNonJson } from "../json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";

export type JsonRpcId = string | number;

/** A string or an integer; MCP has no null or fractional ids. */
export function isJsonRpcId(value: unknown): value is JsonRpcId {
  return typeof value === "string" || Number.isInteger(value);
}

export function assertJsonRpcId(id: unknown): asserts id is JsonRpcId {
  if (isJsonRpcId(id)) return;
  throw new ContractError("INVALID_OPTION", `The id is ${describeMessageValue(id)}: ${adviceFor(id)}`, {
    option: "id",
  });
}

function adviceFor(id: unknown): string {
  if (id === undefined)
    return "a notification is never answered; use answerTo(message, make) to tell them apart.";
  if (id === null) return "only a parse error or an invalid request is answered without an id.";
  return "echo the request's id, a string or an integer.";
}

const SHOWN_CHARACTERS = 40;

/** A short description of a value, for the sentence that says what was found. */
export function describeMessageValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return describeString(value);
  if (typeof value === "object") return describeObject(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return `a ${typeof value}`;
}

/** A member with its name: "`id` is 1.5", "`id` is missing". */
export function describeMember(name: string, value: unknown): string {
  return `\`${name}\` is ${describeMessageValue(value)}`;
}

function describeString(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}… (${text.length} characters)`;
}

function describeObject(value: object | null): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  return "an object";
}

/** A request without an id, which is never answered. Without version or method it is an invalid request instead. */
export function isNotification(message: unknown): boolean {
  if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") return false;
  return typeof message["method"] === "string" && message["id"] === undefined;
}

/** Refuses a value that JSON cannot carry unchanged. */
export function assertCarriable(value: unknown, option: string): void {
  const found = findNonJson(value);
  if (found === undefined) return;
  const details = { option, pointer: found.pointer };
  throw new ContractError("INVALID_OPTION", `\`${option}\` is not JSON. ${found.message}`, details);
}

/** Refuses a result that is not a JSON object, or that breaks a MUST of its own rules. */
export function assertResult(
  result: unknown,
  check: (result: JsonObject, path: string) => readonly Violation[] = () => [],
): void {
  if (!isJsonObject(result)) {
    const message = `The result is ${describeMessageValue(result)}: send an object, such as { value: … }.`;
    throw new ContractError("INVALID_OPTION", message, { option: "result" });
  }
  assertCarriable(result, "result");
  const broken = check(result, "").find(({ severity }) => severity === "MUST");
  if (broken === undefined) return;
  throw new ContractError("INVALID_OPTION", broken.message, { rule: broken.rule, path: broken.path });
}
