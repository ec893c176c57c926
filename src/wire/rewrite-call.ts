import type { Notes } from "../contract/outcome.ts";
import { faults as faultsOf } from "../contract/faults.ts";
import type { ToolFault } from "../contract/tool-fault.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Arrival, PipelineContext } from "../pipeline/parcel.ts";
import { runPipeline } from "../pipeline/pipeline.ts";
import { errorResult } from "./error-result.ts";

export interface CallRewrite {
  readonly context: PipelineContext;
  /** Faults made while the call ran; the one whose message the result shows is what was thrown. */
  readonly faults: readonly ToolFault[];
  readonly notes: Notes;
  /** Results of the modern era name their type; one that was an error has none yet. */
  readonly isModern?: boolean;
}

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

/** SDKs keep only the message of what a handler threw; the fault itself still knows its code. */
function faultBehind(result: JsonObject, faults: readonly ToolFault[]): ToolFault | undefined {
  if (result["isError"] !== true) return undefined;
  const text = textOf(result);
  const thrown = faults.findLast(({ message }) => text === message || text.endsWith(`: ${message}`));
  const [, name] = unknownTool.exec(text) ?? [];
  return thrown ?? (name === undefined ? undefined : faultsOf.notFound("tool", name));
}

/** The tool result in a response, also where an SDK sent a tool's failure as an error; undefined when there is none. */
export function answerIn({ result, error }: JsonObject, isModern = false): JsonObject | undefined {
  if (isJsonObject(result)) return isAnswer(result) ? result : undefined;
  const failed = errorResult(error);
  return failed === undefined || !isModern ? failed : { resultType: "complete", ...failed };
}

/** A `tools/call` response under the contract. Errors of the protocol and unfinished results pass untouched. */
export async function rewriteCall(
  response: JsonObject,
  { context, faults, notes, isModern }: CallRewrite,
): Promise<JsonObject> {
  const result = answerIn(response, isModern);
  if (result === undefined) return response;
  const fault = faultBehind(result, faults);
  const arrival: Arrival =
    fault === undefined ? { kind: "result", result, notes } : { kind: "thrown", error: fault, notes };
  const enveloped = (await runPipeline(arrival, context)) as unknown as JsonObject;
  const {
    content: _content,
    structuredContent: _structured,
    isError: _isError,
    _meta: meta,
    ...rest
  } = result;
  const kept = isJsonObject(meta) ? meta : {};
  const own = isJsonObject(enveloped["_meta"]) ? enveloped["_meta"] : {};
  const { error: _error, ...head } = response;
  return { ...head, result: { ...rest, ...enveloped, _meta: { ...kept, ...own } } };
}
