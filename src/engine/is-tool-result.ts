import { type JsonObject, isJsonObject } from "../json/json-value.ts";

const resultKeys = ["content", "structuredContent", "isError", "_meta", "resultType"];
const blockTypes: readonly unknown[] = ["text", "image", "audio", "resource_link", "resource"];

/** True for a ready-made `CallToolResult`: known keys only, and blocks of known types. */
export function isToolResult(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value["content"])) return false;
  const hasOnlyResultKeys = Object.keys(value).every((key) => resultKeys.includes(key));
  const blocks: readonly unknown[] = value["content"];
  return (
    hasOnlyResultKeys && blocks.every((block) => isJsonObject(block) && blockTypes.includes(block["type"]))
  );
}

const unfinishedTypes: readonly unknown[] = ["input_required", "task"];
const taskKeys = ["task", "_meta"];

/** Tools have tasks of their own: only the protocol's has a `taskId`, a status and nothing beside it. */
function isTaskReply(value: JsonObject): boolean {
  const { task } = value;
  if (!isJsonObject(task) || !Object.keys(value).every((key) => taskKeys.includes(key))) return false;
  return typeof task["taskId"] === "string" && typeof task["status"] === "string";
}

/** Results that are not an answer yet, and that must not be wrapped. */
export function isUnfinished(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return unfinishedTypes.includes(value["resultType"]) || isTaskReply(value);
}
