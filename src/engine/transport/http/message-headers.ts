import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type ParameterHeaders, headerValue } from "./parameter-headers.ts";
import { mcpMeta } from "../../../core/protocol/names.ts";

/** The protocol version in a modern message; undefined for a legacy one. */
export function modernVersionOf({ params }: JsonObject): string | undefined {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  const version = isJsonObject(meta) ? meta[mcpMeta.protocolVersion] : undefined;
  return typeof version === "string" ? version : undefined;
}

/** For each method, the member of params that names the request's subject. */
const nameKeys: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** The member of a request's params that its `Mcp-Name` header repeats; undefined for a method without that header. */
export function nameKeyOf(method: string): string | undefined {
  return Object.hasOwn(nameKeys, method) ? nameKeys[method] : undefined;
}

/** The headers in which a modern request repeats parts of its body; none for a legacy request. */
export function modernHeaders(message: JsonObject, parameters: ParameterHeaders): Record<string, string> {
  const version = modernVersionOf(message);
  const { method, params } = message;
  if (version === undefined || typeof method !== "string" || !isJsonObject(params)) return {};
  const key = nameKeyOf(method);
  const named = key === undefined ? undefined : params[key];
  return {
    "mcp-protocol-version": headerValue(version),
    "mcp-method": headerValue(method),
    ...(typeof named === "string" ? { "mcp-name": headerValue(named) } : {}),
    ...(method === "tools/call" ? parameters.of(params) : {}),
  };
}
