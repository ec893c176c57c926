import { type Violation, violate } from "../contract/rule.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { appendPointer } from "../json/pointer.ts";
import { describeMember, describeValue, isJsonRpcId } from "./message-values.ts";
import { rules } from "./rules.ts";

export function checkVersion({ jsonrpc }: JsonObject, path: string): Violation[] {
  if (jsonrpc === "2.0") return [];
  return [violate(rules["jsonrpc/version"], `${path}/jsonrpc`, describeMember("jsonrpc", jsonrpc))];
}

export function checkUnknownKeys(message: JsonObject, path: string, known: ReadonlySet<string>): Violation[] {
  return Object.keys(message)
    .filter((key) => !known.has(key) && message[key] !== undefined)
    .map((key) => {
      const found = `${describeValue(key)} is not a member of this message`;
      return violate(rules["jsonrpc/unknown-key"], appendPointer(path, key), found);
    });
}

// `result` and `error` break `jsonrpc/result-or-error`, so they are not reported a second time as unknown.
const knownKeys = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** Whether a message is meant as a request or a notification: parameters without an outcome lack their method. */
export function isRequestLike(message: JsonObject): boolean {
  if (message["method"] !== undefined) return true;
  return message["params"] !== undefined && message["result"] === undefined && message["error"] === undefined;
}

/** The violations of a request or a notification. */
export function checkRequest(message: JsonObject, path: string): Violation[] {
  return [
    ...checkVersion(message, path),
    ...checkMethod(message, path),
    ...checkId(message, path),
    ...checkParams(message, path),
    ...checkNoOutcome(message, path),
    ...checkUnknownKeys(message, path, knownKeys),
  ];
}

function checkMethod({ method }: JsonObject, path: string): Violation[] {
  if (typeof method === "string") return [];
  return [violate(rules["jsonrpc/method"], `${path}/method`, describeMember("method", method))];
}

function checkId({ id }: JsonObject, path: string): Violation[] {
  if (id === undefined || isJsonRpcId(id)) return [];
  const rule = id === null ? rules["jsonrpc/id-null"] : rules["jsonrpc/id-type"];
  return [violate(rule, `${path}/id`, describeMember("id", id))];
}

function checkParams({ params }: JsonObject, path: string): Violation[] {
  if (params === undefined || isJsonObject(params)) return [];
  return [violate(rules["jsonrpc/params-type"], `${path}/params`, describeMember("params", params))];
}

function checkNoOutcome({ result, error }: JsonObject, path: string): Violation[] {
  if (result === undefined && error === undefined) return [];
  const outcome = result === undefined ? "an `error`" : "a `result`";
  return [violate(rules["jsonrpc/result-or-error"], path, `The message has a \`method\` and ${outcome}`)];
}
