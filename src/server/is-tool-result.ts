import { type JsonObject, isJsonObject } from "../json/json-value.ts";

const resultKeys = ["content", "structuredContent", "isError", "_meta", "resultType"];
const blockTypes = ["text", "image", "audio", "resource_link", "resource"];

/** True for a ready-made `CallToolResult`: known keys only, and blocks of known types. */
export function isToolResult(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value["content"])) return false;
  const hasOnlyResultKeys = Object.keys(value).every((key) => resultKeys.includes(key));
  const blocks: readonly unknown[] = value["content"];
  return (
    hasOnlyResultKeys &&
    blocks.every((block) => isJsonObject(block) && blockTypes.includes(String(block["type"])))
  );
}

/** Results that are no answer yet, and that no envelope may touch. */
export function isUnfinished(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { resultType, task } = value;
  return (resultType !== undefined && resultType !== "complete") || isJsonObject(task);
}
