import { withoutNotes } from "../contract/contract-mark.ts";
import { faults as faultsOf } from "../contract/faults.ts";
import { TOOL_FAILURE_META_KEY } from "../contract/standards/tool-failure.ts";
import type { ToolFault } from "../contract/tool-fault.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Arrival } from "../pipeline/parcel.ts";

/** True for the answer of a tool that has one: not for a request for input, a task, or the results of 2024. */
function isAnswer({ resultType, content, structuredContent, isError }: JsonObject): boolean {
  if (resultType !== undefined && resultType !== "complete") return false;
  if (content !== undefined) return Array.isArray(content);
  return structuredContent !== undefined || isError === true;
}

function textOf(result: JsonObject): string {
  const [first] = Array.isArray(result["content"]) ? result["content"] : [];
  return isJsonObject(first) && typeof first["text"] === "string" ? first["text"] : "";
}

// What 1.2x and later 1.x servers answer for a tool they do not have, where the protocol wants an error.
const unknownTool = /^MCP error -32602: Tool (.+) (?:not found|disabled)$/s;

/** SDKs keep only the message of what a handler threw; the fault itself still has its code. */
function faultBehind(result: JsonObject, faults: readonly ToolFault[]): ToolFault | undefined {
  if (result["isError"] !== true) return undefined;
  const text = textOf(result);
  const thrown = faults.findLast(({ message }) => text === message || text.endsWith(`: ${message}`));
  const [, name] = unknownTool.exec(text) ?? [];
  return thrown ?? (name === undefined ? undefined : faultsOf.notFound("tool", name));
}

/** The tool result in a response, also where an SDK sent a tool's failure as an error; undefined without a result. */
export function answerIn({ result, error }: JsonObject): JsonObject | undefined {
  if (isJsonObject(result)) return isAnswer(result) ? result : undefined;
  return errorResult(error);
}

/** What a server's answer is to the engine; `faults` are those made while the call ran. */
export function arrivalOf(result: JsonObject, faults: readonly ToolFault[]): Arrival {
  const fault = faultBehind(result, faults);
  return fault === undefined ? { kind: "result", result } : { kind: "thrown", error: fault };
}

/** What a server said beside its words, as it is, or with its secrets masked. */
export type BesideMask = (keys: JsonObject) => JsonObject;

/** Results of ours that repeat what a server said beside its words. */
const foreignOf = new WeakMap<JsonObject, JsonObject>();

/** The server's result that one of ours was made of, where ours repeats its `_meta`. */
export function foreignBehind(result: JsonObject): JsonObject | undefined {
  return foreignOf.get(result);
}

/**
 * The enveloped result with what the server said beside its words: its own `_meta`, its other keys. Results of the
 * modern era name their type; one that was an error, or that the server never gave, has none yet.
 */
export function withForeignKeys(
  enveloped: JsonObject,
  foreign: JsonObject | undefined,
  isModern: boolean,
  mask: BesideMask = (keys) => keys,
): JsonObject {
  const { content: _content, structuredContent: _structured, isError: _isError, ...beside } = foreign ?? {};
  const { _meta: meta, ...rest } = mask(beside);
  const kept = isJsonObject(meta) ? withoutNotes(meta) : {};
  const own = isJsonObject(enveloped["_meta"]) ? enveloped["_meta"] : {};
  const failure = kept[TOOL_FAILURE_META_KEY];
  const result: JsonObject = {
    ...(isModern ? { resultType: "complete" } : {}),
    ...rest,
    ...enveloped,
    _meta: { ...kept, ...own, ...(failure === undefined ? {} : { [TOOL_FAILURE_META_KEY]: failure }) },
  };
  if (foreign !== undefined && isJsonObject(meta)) foreignOf.set(result, foreign);
  return result;
}

/** The id of the task that a `tools/call` response announces instead of a result, in either era's shape. */
export function announcedTask({ result }: JsonObject): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const task = isJsonObject(result["task"]) ? result["task"] : result;
  const id = isJsonObject(result["task"]) || result["resultType"] === "task" ? task["taskId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

const INVALID_PARAMS = -32602;
const protocolCodes = new Set([-32700, -32600, -32601, -32042]);

/** What SDKs add to the message of an error when they pass it on. */
const prefix = /^MCP error -?\d+: /;

// Old SDKs refuse arguments and results of a known tool by a protocol error; later ones by a failed result.
const badArguments = /^(?:Input validation error: )?Invalid arguments for tool /;
/** The same in the words of FastMCP (TypeScript) and of the SDKs for Go and Rust, which send it by a protocol error still. */
const refusedArguments =
  /^Tool '[^']+' parameter validation failed: |^(?:invalid params: )?(?:validating "arguments"|validating\n|unmarshaling: )|^failed to deserialize parameters?\b|^missing parameter \w/;
const badResult =
  /^(?:Output validation error: )?(?:Invalid structured content for tool |Tool .* has an output schema)/s;

/** Codes that speak about the request or the connection, and that a client acts on itself. */
function isOfTheProtocol(code: number, message: string): boolean {
  if (protocolCodes.has(code) || (code <= -32020 && code >= -32099)) return true;
  const isOfTool = [badArguments, refusedArguments, badResult].some((pattern) => pattern.test(message));
  return code === INVALID_PARAMS && !isOfTool;
}

/** The failed tool result that a JSON-RPC error of `tools/call` stands for; undefined when it is the protocol's own. */
export function errorResult(error: unknown): JsonObject | undefined {
  if (!isJsonObject(error)) return undefined;
  const { code, message: said } = error;
  if (typeof code !== "number" || typeof said !== "string") return undefined;
  const message = said.replace(prefix, "");
  if (isOfTheProtocol(code, message)) return undefined;
  const text = badArguments.test(message)
    ? `Input validation error: ${message.replace(/^Input validation error: /, "")}`
    : message;
  return {
    content: [{ type: "text", text }],
    isError: true,
    ...(isJsonObject(error["data"]) ? { structuredContent: error["data"] } : {}),
  };
}
