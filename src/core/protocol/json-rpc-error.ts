import { ContractError } from "../contract/contract-error.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../json/json-value.ts";
import {
  type JsonRpcId,
  assertCarriable,
  assertJsonRpcId,
  describeMember,
  isJsonRpcId,
  isNotification,
  describeMessageValue,
} from "./message-values.ts";
import {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_VERSION,
  URL_ELICITATION_REQUIRED,
} from "./names.ts";
import { type Violation, violate } from "../contract/rule.ts";
import { appendPointer } from "../json/pointer.ts";
import { rules } from "./rules.ts";

/** The five codes JSON-RPC 2.0 defines, with its own messages. */
export const jsonRpcCodes = {
  parseError: { code: PARSE_ERROR, message: "Parse error" },
  invalidRequest: { code: INVALID_REQUEST, message: "Invalid Request" },
  methodNotFound: { code: METHOD_NOT_FOUND, message: "Method not found" },
  invalidParams: { code: INVALID_PARAMS, message: "Invalid params" },
  internalError: { code: INTERNAL_ERROR, message: "Internal error" },
} as const;

/** The codes the revisions of MCP define; -32002 and -32042 belong to the legacy era. */
const mcpCodes = {
  resourceNotFound: { code: RESOURCE_NOT_FOUND, message: "Resource not found" },
  headerMismatch: { code: HEADER_MISMATCH, message: "Header mismatch" },
  missingRequiredClientCapability: {
    code: MISSING_CAPABILITY,
    message: "Missing required client capability",
  },
  unsupportedProtocolVersion: { code: UNSUPPORTED_VERSION, message: "Unsupported protocol version" },
  urlElicitationRequired: { code: URL_ELICITATION_REQUIRED, message: "URL elicitation required" },
} as const;

interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Who may define which codes, both ends included; an application's own codes are outside `reserved`. */
export const codeRanges = {
  /** The codes that JSON-RPC 2.0 keeps for itself. */
  reserved: { from: -32768, to: -32000 },
  /** The codes that JSON-RPC 2.0 leaves to implementations; MCP 2026-07-28 advises against new codes here. */
  implementation: { from: -32099, to: -32000 },
  /** The codes that MCP 2026-07-28 keeps for its specification. */
  mcp: { from: -32099, to: -32020 },
} as const satisfies Readonly<Record<string, CodeRange>>;

const knownCodes = new Set<number>(Object.values({ ...jsonRpcCodes, ...mcpCodes }).map(({ code }) => code));

function isWithin(code: number, range: CodeRange): boolean {
  return code >= range.from && code <= range.to;
}

/** Whether a code is in the range where only JSON-RPC and MCP define codes. */
export function isReservedCode(code: number): boolean {
  return isWithin(code, codeRanges.reserved);
}

/** Whether JSON-RPC 2.0 or a revision of MCP gives the code its meaning. */
export function isKnownCode(code: number): boolean {
  return knownCodes.has(code);
}

/** The two codes for a message whose id could not be read; only their answers have a null id. */
export function isUnreadableCode(code: unknown): boolean {
  return code === jsonRpcCodes.parseError.code || code === jsonRpcCodes.invalidRequest.code;
}

interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

interface JsonRpcError {
  readonly jsonrpc: "2.0";
  readonly error: JsonRpcErrorObject;
  /** Null only if the request's id could not be read. */
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

/** The answer to text that is not JSON. */
export function parseError(): JsonRpcError {
  return jsonRpcError(null, jsonRpcCodes.parseError);
}

/** The answer to JSON that is not a request; give the id if it could be read. */
export function invalidRequest(id: JsonRpcId | null = null): JsonRpcError {
  return jsonRpcError(id, jsonRpcCodes.invalidRequest);
}

export function methodNotFound(id: JsonRpcId, method: string): JsonRpcError {
  const { code, message } = jsonRpcCodes.methodNotFound;
  return jsonRpcError(id, { code, message: `${message}: ${method}` });
}

/** The text is sent as it is, such as `Unknown tool: search`. Default: the standard message. */
export function invalidParams(id: JsonRpcId, text: string, data?: JsonValue): JsonRpcError {
  const { code, message } = jsonRpcCodes.invalidParams;
  return jsonRpcError(id, withData(code, text === "" ? message : text, data));
}

/** The text goes to the client, so it must never be the text of an exception. */
export function internalError(id: JsonRpcId, safeText: string, data?: JsonValue): JsonRpcError {
  const { code, message } = jsonRpcCodes.internalError;
  return jsonRpcError(id, withData(code, safeText === "" ? message : `${message}: ${safeText}`, data));
}

function withData(code: number, message: string, data: JsonValue | undefined): JsonRpcErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

/**
 * Answers a request with what `make` builds for its id. A notification and a response get no answer;
 * anything else is an invalid request and is answered as one, so `make` only ever sees an id it can use.
 *
 * @example
 * const response = await answerTo(message, async (id) => jsonRpcResult(id, await callTool(message)));
 */
export function answerTo<Answer>(
  message: unknown,
  make: (id: JsonRpcId) => Answer,
): Answer | JsonRpcError | undefined {
  if (!isJsonObject(message)) return invalidRequest();
  if (isNotification(message)) return undefined;
  if (!isRequestLike(message) && isOutcome(message["result"], message["error"])) return undefined;
  const id = message["id"];
  if (!isJsonRpcId(id)) return invalidRequest();
  const broken = checkRpcRequest(message, "").some(({ severity }) => severity === "MUST");
  return broken ? invalidRequest(id) : make(id);
}

function isOutcome(result: JsonValue | undefined, error: JsonValue | undefined): boolean {
  return result !== undefined || error !== undefined;
}

export function checkRpcVersion({ jsonrpc }: JsonObject, path: string): Violation[] {
  if (jsonrpc === "2.0") return [];
  return [violate(rules["jsonrpc/version"], `${path}/jsonrpc`, describeMember("jsonrpc", jsonrpc))];
}

export function checkUnknownKeys(message: JsonObject, path: string, known: ReadonlySet<string>): Violation[] {
  return Object.keys(message)
    .filter((key) => !known.has(key) && message[key] !== undefined)
    .map((key) => {
      const found = `${describeMessageValue(key)} is not a member of this message`;
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
export function checkRpcRequest(message: JsonObject, path: string): Violation[] {
  return [
    ...checkRpcVersion(message, path),
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
