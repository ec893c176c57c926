import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { didYouMean } from "../text/did-you-mean.ts";

const UNKNOWN_TOOL = -32602;

/** The SDK refuses an unknown tool as the protocol wants; this only adds which one may have been meant. */
export function suggestTool(request: JsonObject, response: JsonObject, known: readonly string[]): JsonObject {
  const { error } = response;
  const params = request["params"];
  const name = isJsonObject(params) ? params["name"] : undefined;
  if (typeof name !== "string" || !isJsonObject(error)) return response;
  if (error["code"] !== UNKNOWN_TOOL || known.includes(name)) return response;
  const close = didYouMean(name, known);
  if (close === undefined) return response;
  const said = typeof error["message"] === "string" ? error["message"] : "Unknown tool";
  return { ...response, error: { ...error, message: `${said}. Did you mean "${close}"?` } };
}
