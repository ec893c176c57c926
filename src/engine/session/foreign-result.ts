import { withoutNotes } from "../../core/contract/contract-mark.ts";
import { faults as faultsOf } from "../../core/contract/faults.ts";
import { roundedNumbers } from "../../core/contract/rounded-numbers.ts";
import { TOOL_FAILURE_META_KEY } from "../../core/contract/tool-failure.ts";
import { type ToolFault, tooDeep } from "../../core/contract/tool-fault.ts";
import type { CalledTool } from "../call/called-tool.ts";
import { PassedThrough, noteAnswerBehind } from "../call/answered-call.ts";
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

/** Result types of the modern era that are not an answer yet. */
const unfinishedTypes: readonly unknown[] = ["input_required", "task"];

/**
 * True for a tool's answer: not for a request for input, a task, or the results of 2024. A result with a
 * content list always counts, because a client may show it: no other key that a server writes can exempt it
 * from the contract.
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

// How 1.2x and later 1.x servers answer for an unknown tool, although the protocol requires an error.
const unknownTool = /^MCP error -32602: Tool (.+) (?:not found|disabled)$/s;

/** SDKs keep only the message of a thrown error; the fault itself still has its code. */
function faultBehind(result: JsonObject, faults: readonly ToolFault[]): ToolFault | undefined {
  if (result["isError"] !== true) return undefined;
  const text = textOf(result);
  const thrown = faults.findLast(({ message }) => text === message || text.endsWith(`: ${message}`));
  const [, name] = unknownTool.exec(text) ?? [];
  return thrown ?? (name === undefined ? undefined : faultsOf.notFound("tool", name));
}

/** The tool result in a response, also if an SDK sent a tool's failure as an error; undefined without a result. */
export function answerIn({ result, error }: JsonObject): JsonObject | undefined {
  if (isJsonObject(result)) return isAnswer(result) ? result : undefined;
  if (result !== undefined && !isJsonObject(error)) return noResult(result);
  return errorResult(error);
}

/** Replaces a result that is not an object: no client would accept it, and each would keep waiting. */
function noResult(result: unknown): JsonObject {
  const kind = result === null ? "null" : Array.isArray(result) ? "a list" : `a ${typeof result}`;
  const text = `The server's answer is no tool result: its result is ${kind}, where an object belongs.`;
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * Turns a server's answer into an arrival; `faults` are those made while the call ran. An answer that is
 * nested too deep is not read: every walk over it, and every JSON writer, would run out of stack.
 */
export function arrivalOf(
  result: JsonObject,
  faults: readonly ToolFault[],
  { readsDocuments: isDocument }: Pick<CalledTool, "readsDocuments">,
): Arrival {
  const fault = isTooDeep(result) ? tooDeep() : faultBehind(result, faults);
  const messageBytes = originalOf(result)?.bytes?.length;
  if (fault === undefined) return { kind: "result", result, isDocument, messageBytes };
  noteAnswerBehind(fault, result);
  return { kind: "thrown", error: fault };
}

/** A result made in JavaScript has lost digits before we see it, so all we can do is warn. */
export function arrivalWithRoundingTold(arrival: Arrival): Arrival {
  const structured = arrival.kind === "result" ? arrival.result["structuredContent"] : undefined;
  const rounded =
    structured !== undefined && hasUnsafeInteger(structured) ? roundedNumbers(structured) : undefined;
  return rounded === undefined ? arrival : { ...arrival, notes: { warnings: [rounded] } };
}

/** Masks secrets in the keys beside the server's texts, or leaves the keys as they are. */
export type BesideMask = (keys: JsonObject) => JsonObject;

/** The message in which a server sent a result or an error. */
export interface Original {
  /** The result or error as it was read. */
  readonly said: JsonObject;
  readonly rawId: string;
  /** The whole message; undefined if `text` has it instead. */
  readonly bytes?: Buffer | undefined;
  /** The JSON of the result alone, as another thread wrote it. */
  readonly text?: Buffer | undefined;
}

const ORIGINAL = Symbol("original");
type Carrier = JsonObject & { [ORIGINAL]?: Original };

/**
 * Puts the message of a result or error into it, under a symbol: JSON does not show it, and every copy by
 * spread carries it on.
 */
export function carryOriginal(said: JsonObject, message: Omit<Original, "said">): void {
  (said as Carrier)[ORIGINAL] = { said, ...message };
}

/** The message from which a result or error was made, changed or unchanged; undefined if no server sent it as bytes. */
export function originalOf(said: JsonObject): Original | undefined {
  return (said as Carrier)[ORIGINAL];
}

/** Whether a result or error says what its message says: a copy in which any member is another is not the same. */
export function isArrivalAsSent(said: JsonObject, { said: sent }: Original): boolean {
  if (said === sent) return true;
  const names = Object.keys(said);
  return names.length === Object.keys(sent).length && names.every((name) => said[name] === sent[name]);
}

/**
 * The enveloped result with the server's other keys and its own `_meta`. Results of the modern era name their
 * type; a result that was an error, or that the server never sent, has no type yet.
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
  const result: Carrier = {
    ...(isModern ? { resultType: "complete" } : {}),
    ...rest,
    ...enveloped,
    _meta: { ...kept, ...own, ...(failure === undefined ? {} : { [TOOL_FAILURE_META_KEY]: failure }) },
  };
  const original = foreign && originalOf(foreign);
  if (original !== undefined && isJsonObject(meta)) result[ORIGINAL] = original;
  return result;
}

/** The id of the task that a `tools/call` response announces instead of a result, in the shape of either era. */
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

/** The prefix that SDKs add to the message of an error when they pass it on. */
const prefix = /^MCP error -?\d+: /;

// Old SDKs refuse arguments and results of a known tool with a protocol error; later ones with a failed result.
const badArguments = /^(?:Input validation error: )?Invalid arguments for tool /;
/** The same in the words of FastMCP (TypeScript) and of the SDKs for Go and Rust, which still use a protocol error. */
const refusedArguments =
  /^Tool '[^']+' parameter validation failed: |^(?:invalid params: )?(?:validating "arguments"|validating\n|unmarshaling: )|^failed to deserialize parameters?\b|^missing parameter \w/;
const badResult =
  /^(?:Output validation error: )?(?:Invalid structured content for tool |Tool .* has an output schema)/s;

/** Codes about the request or the connection, which a client handles itself. */
function isOfTheProtocol(code: number, message: string): boolean {
  if (protocolCodes.has(code) || (code <= -32020 && code >= -32099)) return true;
  const isOfTool = [badArguments, refusedArguments, badResult].some((pattern) => pattern.test(message));
  return code === INVALID_PARAMS && !isOfTool;
}

/** The failed tool result for a JSON-RPC error of `tools/call`; undefined for an error of the protocol itself. */
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

/** The code of an error response. */
function codeIn({ error }: JsonObject): number | undefined {
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

export function isUnknownMethod(response: JsonObject): boolean {
  return codeIn(response) === METHOD_NOT_FOUND;
}

/** A response that the client gets as it is, unless it is nested too deep; `isSent` if the client already has it. */
export function passedOn(response: JsonObject, isSent: boolean): PassedThrough | ToolFault {
  if (isTooDeep(response)) return tooDeep();
  return new PassedThrough(isSent ? undefined : response, response["result"] !== undefined, codeIn(response));
}
