import { withoutNotes } from "../../core/contract/contract-mark.ts";
import { faults as faultsOf } from "../../core/contract/faults.ts";
import { roundedNumbers } from "../../core/contract/rounded-numbers.ts";
import { TOOL_FAILURE_META_KEY } from "../../core/contract/standards/tool-failure.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { tooDeep } from "../../core/contract/too-deep.ts";
import type { CalledTool } from "../call/called-tool.ts";
import { PassedThrough } from "../call/unanswered.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { hasUnsafeInteger } from "../../core/json/unsafe-integers.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  URL_ELICITATION_REQUIRED,
} from "../../core/protocol/names.ts";

/** What a call of the modern era gives instead of an answer. */
const unfinishedTypes: readonly unknown[] = ["input_required", "task"];

/**
 * True for the answer of a tool that has one: not for a request for input, a task, or the results of 2024. Whatever has
 * a list of content is one, since a client may show that: no word that a server writes beside it takes it out of the
 * contract.
 */
function isAnswer({ resultType, content, structuredContent, isError }: JsonObject): boolean {
  if (content !== undefined) return Array.isArray(content);
  if (unfinishedTypes.includes(resultType)) return false;
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
  if (result !== undefined && !isJsonObject(error)) return noResult(result);
  return errorResult(error);
}

/** What stands for a result that is no object: no client would take it, and each would wait for another. */
function noResult(result: unknown): JsonObject {
  const kind = result === null ? "null" : Array.isArray(result) ? "a list" : `a ${typeof result}`;
  const text = `The server's answer is no tool result: its result is ${kind}, where an object belongs.`;
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * What a server's answer is to the engine; `faults` are those made while the call ran. One that is nested too deep is
 * not looked into by anybody: every walk over it, and every writer of JSON, would run out of stack.
 */
export function arrivalOf(
  result: JsonObject,
  faults: readonly ToolFault[],
  { readsDocuments: isDocument }: Pick<CalledTool, "readsDocuments">,
): Arrival {
  const fault = isTooDeep(result) ? tooDeep() : faultBehind(result, faults);
  return fault === undefined ? { kind: "result", result, isDocument } : { kind: "thrown", error: fault };
}

/** A result that JavaScript made has lost digits before we saw it, so all that can be done is to say so. */
export function withRoundingTold(arrival: Arrival): Arrival {
  const structured = arrival.kind === "result" ? arrival.result["structuredContent"] : undefined;
  const rounded =
    structured !== undefined && hasUnsafeInteger(structured) ? roundedNumbers(structured) : undefined;
  return rounded === undefined ? arrival : { ...arrival, notes: { warnings: [rounded] } };
}

/** What a server said beside its words, as it is, or with its secrets masked. */
export type BesideMask = (keys: JsonObject) => JsonObject;

/** Results of ours that repeat what a server said beside its words. */
const foreignOf = new WeakMap<JsonObject, JsonObject>();

/** The server's result that one of ours was made of, where ours repeats its `_meta`. */
export function serverResultOf(result: JsonObject): JsonObject | undefined {
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
  const { content: _content, structuredContent: _structured, isError: _isError, ...said } = foreign ?? {};
  const beside = isTooDeep(said) ? {} : said;
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

const protocolCodes = new Set<number>([
  PARSE_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  URL_ELICITATION_REQUIRED,
]);

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

/** The code of a response that is an error. */
function codeIn({ error }: JsonObject): number | undefined {
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

export function isUnknownMethod(response: JsonObject): boolean {
  return codeIn(response) === METHOD_NOT_FOUND;
}

/** What the client gets as it is, unless nobody could read it; `isSent` where it has it already. */
export function passedOn(response: JsonObject, isSent: boolean): PassedThrough | ToolFault {
  if (isTooDeep(response)) return tooDeep();
  return new PassedThrough(isSent ? undefined : response, response["result"] !== undefined, codeIn(response));
}
