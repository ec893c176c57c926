import { violate, type Violation } from "../contract/rule.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { checkInitialize } from "./check-initialize.ts";
import { checkToolsList } from "./check-tools-list.ts";
import { describeMember } from "./describe-value.ts";
import { rules } from "./rules.ts";

export interface ResultContext {
  readonly method: string | undefined;
  /** The rules of tool results, which belong to the dialect; paths are relative to the result. */
  readonly checkToolResult: ((result: JsonValue) => readonly Violation[]) | undefined;
}

/** The violations of a response's `result`, by the method it answers. */
export function checkResult(result: JsonValue, path: string, context: ResultContext): Violation[] {
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

/** A client's result of sampling has a `role` beside its `content`, that of an elicitation an `action`. */
function isClientResult({ role, action }: JsonObject): boolean {
  return typeof role === "string" || typeof action === "string";
}

function checkToolCall(result: JsonObject, path: string, { checkToolResult }: ResultContext): Violation[] {
  if (checkToolResult === undefined || !isComplete(result)) return [];
  return checkToolResult(result).map((violation) => ({ ...violation, path: `${path}${violation.path}` }));
}

/** A call that asks for input or became a task has no tool result yet (MCP 2026-07-28; 2025-11-25 for `task`). */
function isComplete({ resultType, task, content }: JsonObject): boolean {
  if (typeof resultType === "string") return resultType === "complete";
  return !(isJsonObject(task) && content === undefined);
}
