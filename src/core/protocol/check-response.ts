import { type Violation, violate } from "../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { checkUnknownKeys, checkVersion } from "./check-request.ts";
import { type ResultContext, checkResult } from "./check-result.ts";
import { isKnownCode, isReservedCode, isUnreadableCode } from "./json-rpc-error.ts";
import { describeMember, describeValue, isJsonRpcId, isNotification } from "./message-values.ts";
import { rules } from "./rules.ts";

/** What is known of the requests that a message may answer. */
interface Exchange {
  /** The requests by id; a null id is kept, since its answer echoes it. */
  readonly byId: ReadonlyMap<JsonValue, JsonObject>;
  /** Some request can be named by an answer. */
  readonly expectsId: boolean;
  /** Only notifications were sent, so nothing may come back. */
  readonly expectsNothing: boolean;
}

export function toExchange(request: unknown): Exchange {
  const requests: readonly unknown[] = Array.isArray(request)
    ? request
    : request === undefined
      ? []
      : [request];
  const byId = new Map<JsonValue, JsonObject>();
  for (const one of requests) {
    if (isJsonObject(one) && one["id"] !== undefined) byId.set(one["id"], one);
  }
  return {
    byId,
    expectsId: [...byId.keys()].some(isJsonRpcId),
    expectsNothing: requests.length > 0 && requests.every(isNotification),
  };
}

export interface ResponseContext extends ResultContext {
  readonly exchange: Exchange;
}

const knownKeys = new Set(["jsonrpc", "id", "result", "error"]);

/** The violations of a response. */
export function checkResponse(response: JsonObject, path: string, context: ResponseContext): Violation[] {
  return [
    ...checkVersion(response, path),
    ...checkOutcome(response, path, context),
    ...checkId(response, path, context.exchange),
    ...checkUnknownKeys(response, path, knownKeys),
  ];
}

function checkOutcome(response: JsonObject, path: string, context: ResponseContext): Violation[] {
  const { result, error, id } = response;
  if (result !== undefined && error !== undefined) {
    return [violate(rules["jsonrpc/result-or-error"], path, "The response has both `result` and `error`")];
  }
  if (error !== undefined) return checkError(error, `${path}/error`);
  if (result === undefined) {
    return [violate(rules["jsonrpc/result-or-error"], path, "The response has neither `result` nor `error`")];
  }
  const asked = id === undefined ? undefined : context.exchange.byId.get(id)?.["method"];
  const method = context.method ?? (typeof asked === "string" ? asked : undefined);
  return checkResult(result, `${path}/result`, { ...context, method });
}

function checkError(error: JsonValue, path: string): Violation[] {
  if (!isJsonObject(error))
    return [violate(rules["jsonrpc/error-type"], path, describeMember("error", error))];
  const { message } = error;
  if (typeof message === "string") return checkCode(error, path);
  const found = describeMember("error.message", message);
  return [...checkCode(error, path), violate(rules["jsonrpc/error-message"], `${path}/message`, found)];
}

function checkCode({ code }: JsonObject, path: string): Violation[] {
  if (typeof code !== "number" || !Number.isInteger(code)) {
    return [violate(rules["jsonrpc/error-code"], `${path}/code`, describeMember("error.code", code))];
  }
  if (!isReservedCode(code) || isKnownCode(code)) return [];
  return [violate(rules["jsonrpc/error-code-known"], `${path}/code`, describeMember("error.code", code))];
}

function checkId(response: JsonObject, path: string, exchange: Exchange): Violation[] {
  const { id } = response;
  // The answer itself is the fault here, whatever its id.
  if (exchange.expectsNothing) {
    return [violate(rules["jsonrpc/notification-answered"], path, "The response answers a notification")];
  }
  const place = `${path}/id`;
  if (id === undefined) return [violate(rules["jsonrpc/id-missing"], place, "The response has no `id`")];
  if (exchange.byId.has(id) && (id === null || isJsonRpcId(id))) return [];
  if (id === null) return checkNullId(response, place);
  if (!isJsonRpcId(id)) return [violate(rules["jsonrpc/id-type"], place, describeMember("id", id))];
  if (!exchange.expectsId) return [];
  const found = `${describeValue(id)} is the id of no request that was sent`;
  return [violate(rules["jsonrpc/id-mismatch"], place, found)];
}

function checkNullId({ result, error }: JsonObject, place: string): Violation[] {
  const code = isJsonObject(error) ? error["code"] : undefined;
  // Without one clear outcome nobody can tell whether null is right; another rule reports that.
  const unclear = result === undefined ? !Number.isInteger(code) : error !== undefined;
  if (unclear || isUnreadableCode(code)) return [];
  return [violate(rules["jsonrpc/id-null"], place, "`id` is null")];
}
