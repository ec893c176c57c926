import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type CallRewrite, rewriteCall } from "./rewrite-call.ts";

/** The id of the task that a `tools/call` response announces instead of a result, in either era's shape. */
export function announcedTask({ result }: JsonObject): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const task = isJsonObject(result["task"]) ? result["task"] : result;
  const id = isJsonObject(result["task"]) || result["resultType"] === "task" ? task["taskId"] : undefined;
  return typeof id === "string" ? id : undefined;
}

/** A `tasks/get` response: modern servers put the finished tool result inside, all others have none to rewrite. */
export async function rewriteTask(response: JsonObject, rewrite: CallRewrite): Promise<JsonObject> {
  const { result } = response;
  if (!isJsonObject(result) || result["status"] !== "completed" || !isJsonObject(result["result"]))
    return response;
  const inner = { result: result["result"] };
  const changed = await rewriteCall(inner, rewrite);
  return changed === inner ? response : { ...response, result: { ...result, ...changed } };
}
