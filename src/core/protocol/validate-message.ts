// Judges one JSON-RPC message, or a batch of them, by the rules of rules.ts.
// It gives a verdict for any JSON value, with one rule for each mistake, and never throws on JSON of any shape or
// depth.
// It never changes the message, and never judges a tool result itself: that check is handed in.

import { violate, type Violation } from "../contract/rule.ts";
import { isJsonObject, type JsonValue, type JsonObject } from "../json/json-value.ts";
import {
  checkRpcRequest,
  isRequestLike,
  checkUnknownKeys,
  checkRpcVersion,
  isKnownCode,
  isReservedCode,
  isUnreadableCode,
} from "./json-rpc-error.ts";
import { describeMessageValue, describeMember, isJsonRpcId, isNotification } from "./message-values.ts";
import { rules } from "./rules.ts";

export interface ValidateMessageOptions {
  /** The method that was called. Default: the request's, else inferred from the result's keys. */
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
    return [violate(rules["jsonrpc/object"], path, `The message is ${describeMessageValue(message)}`)];
  }
  return isRequestLike(message) ? checkRpcRequest(message, path) : checkResponse(message, path, context);
}

/** What is known of the requests that a message may answer. */
interface Exchange {
  /** The requests by id; a null id is kept, because its answer echoes it. */
  readonly byId: ReadonlyMap<JsonValue, JsonObject>;
  /** At least one request has an id that an answer can name. */
  readonly expectsId: boolean;
  /** Only notifications were sent, so no answer may come. */
  readonly expectsNothing: boolean;
}

function toExchange(request: unknown): Exchange {
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

interface ResponseContext extends ResultContext {
  readonly exchange: Exchange;
}

const knownKeys = new Set(["jsonrpc", "id", "result", "error"]);

/** The violations of a response. */
function checkResponse(response: JsonObject, path: string, context: ResponseContext): Violation[] {
  return [
    ...checkRpcVersion(response, path),
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
  return checkRpcResult(result, `${path}/result`, { ...context, method });
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
  // The answer itself is the fault, whatever its id.
  if (exchange.expectsNothing) {
    return [violate(rules["jsonrpc/notification-answered"], path, "The response answers a notification")];
  }
  const place = `${path}/id`;
  if (id === undefined) return [violate(rules["jsonrpc/id-missing"], place, "The response has no `id`")];
  if (exchange.byId.has(id) && (id === null || isJsonRpcId(id))) return [];
  if (id === null) return checkNullId(response, place);
  if (!isJsonRpcId(id)) return [violate(rules["jsonrpc/id-type"], place, describeMember("id", id))];
  if (!exchange.expectsId) return [];
  const found = `${describeMessageValue(id)} is the id of no request that was sent`;
  return [violate(rules["jsonrpc/id-mismatch"], place, found)];
}

function checkNullId({ result, error }: JsonObject, place: string): Violation[] {
  const code = isJsonObject(error) ? error["code"] : undefined;
  // Without one clear outcome, null may be right or wrong; another rule reports that.
  const unclear = result === undefined ? !Number.isInteger(code) : error !== undefined;
  if (unclear || isUnreadableCode(code)) return [];
  return [violate(rules["jsonrpc/id-null"], place, "`id` is null")];
}

/** The violations of the result of `initialize`. */
export function checkInitialize(result: JsonObject, path: string): Violation[] {
  const { protocolVersion, capabilities, serverInfo } = result;
  const violations: Violation[] = [];
  if (typeof protocolVersion !== "string") {
    const found = describeMember("protocolVersion", protocolVersion);
    violations.push(violate(rules["initialize/protocol-version"], `${path}/protocolVersion`, found));
  }
  if (!isJsonObject(capabilities)) {
    const found = describeMember("capabilities", capabilities);
    violations.push(violate(rules["initialize/capabilities"], `${path}/capabilities`, found));
  }
  if (!isJsonObject(serverInfo)) {
    const found = describeMember("serverInfo", serverInfo);
    return [...violations, violate(rules["initialize/server-info"], `${path}/serverInfo`, found)];
  }
  for (const key of ["name", "version"]) {
    if (typeof serverInfo[key] === "string") continue;
    const found = describeMember(`serverInfo.${key}`, serverInfo[key]);
    violations.push(violate(rules["initialize/server-info"], `${path}/serverInfo/${key}`, found));
  }
  return violations;
}

/** The violations of the result of `tools/list`. */
export function checkToolsList({ tools, nextCursor }: JsonObject, path: string): Violation[] {
  return [...checkTools(tools, `${path}/tools`), ...checkNextCursor(nextCursor, `${path}/nextCursor`)];
}

function checkNextCursor(nextCursor: JsonValue | undefined, place: string): Violation[] {
  if (nextCursor === undefined || typeof nextCursor === "string") return [];
  return [violate(rules["tools-list/next-cursor"], place, describeMember("nextCursor", nextCursor))];
}

function checkTools(tools: JsonValue | undefined, place: string): Violation[] {
  if (!Array.isArray(tools))
    return [violate(rules["tools-list/tools"], place, describeMember("tools", tools))];
  const names = new Set<string>();
  return (tools as readonly JsonValue[]).flatMap((tool, index) => {
    const at = `${place}/${index}`;
    if (!isJsonObject(tool))
      return [violate(rules["tools-list/tools"], at, `The tool is ${describeMessageValue(tool)}`)];
    return [...checkName(tool, at, names), ...checkDescription(tool, at), ...checkInputSchema(tool, at)];
  });
}

function checkName({ name }: JsonObject, at: string, names: Set<string>): Violation[] {
  const place = `${at}/name`;
  if (typeof name !== "string" || name === "") {
    return [violate(rules["tools-list/name"], place, describeMember("name", name))];
  }
  if (names.has(name)) {
    return [
      violate(
        rules["tools-list/name-unique"],
        place,
        `${describeMessageValue(name)} is the name of an earlier tool`,
      ),
    ];
  }
  names.add(name);
  return [];
}

function checkDescription({ description }: JsonObject, at: string): Violation[] {
  if (typeof description === "string" && description.trim() !== "") return [];
  const found = describeMember("description", description);
  return [violate(rules["tools-list/description"], `${at}/description`, found)];
}

function checkInputSchema({ inputSchema }: JsonObject, at: string): Violation[] {
  const place = `${at}/inputSchema`;
  if (!isJsonObject(inputSchema)) {
    return [violate(rules["tools-list/input-schema"], place, describeMember("inputSchema", inputSchema))];
  }
  if (inputSchema["type"] === "object") return [];
  const found = describeMember("inputSchema.type", inputSchema["type"]);
  return [violate(rules["tools-list/input-schema"], `${place}/type`, found)];
}

interface ResultContext {
  readonly method: string | undefined;
  /** The rules of tool results, which belong to the dialect; paths are relative to the result. */
  readonly checkToolResult: ((result: JsonValue) => readonly Violation[]) | undefined;
}

/** The violations of a response's `result`, by the method it answers. */
export function checkRpcResult(result: JsonValue, path: string, context: ResultContext): Violation[] {
  if (!isJsonObject(result)) {
    return [violate(rules["jsonrpc/result-type"], path, describeMember("result", result))];
  }
  switch (context.method ?? inferMethod(result)) {
    case "initialize":
      return checkInitialize(result, path);
    case "tools/list":
      return checkToolsList(result, path);
    case "tools/call":
      return checkToolCall(result, path, context);
    case undefined:
    default:
      return [];
  }
}

function inferMethod(result: JsonObject): string | undefined {
  const { tools, protocolVersion, content } = result;
  if (Array.isArray(tools)) return "tools/list";
  if (protocolVersion !== undefined) return "initialize";
  if (content !== undefined) return isClientResult(result) ? undefined : "tools/call";
  return tools === undefined ? undefined : "tools/list";
}

/** A client's result of sampling has a `role` beside its `content`; a result of elicitation has an `action`. */
function isClientResult({ role, action }: JsonObject): boolean {
  return typeof role === "string" || typeof action === "string";
}

function checkToolCall(result: JsonObject, path: string, { checkToolResult }: ResultContext): Violation[] {
  if (checkToolResult === undefined || !isCompleteCall(result)) return [];
  return checkToolResult(result).map((violation) => ({ ...violation, path: `${path}${violation.path}` }));
}

/** A call that asks for input or became a task has no tool result yet (MCP 2026-07-28; 2025-11-25 for `task`). */
export function isCompleteCall({ resultType, task, content }: JsonObject): boolean {
  if (typeof resultType === "string") return resultType === "complete";
  return !(isJsonObject(task) && content === undefined);
}
