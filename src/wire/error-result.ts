import { type JsonObject, isJsonObject } from "../json/json-value.ts";

const INVALID_PARAMS = -32602;
const protocolCodes = new Set([-32700, -32600, -32601, -32042]);

/** What SDKs add to the message of an error when they pass it on. */
const prefix = /^MCP error -?\d+: /;

// Old SDKs refuse arguments and results of a known tool by a protocol error; later ones by a failed result.
const badArguments = /^(?:Input validation error: )?Invalid arguments for tool /;
const badResult =
  /^(?:Output validation error: )?(?:Invalid structured content for tool |Tool .* has an output schema)/s;

/** Codes that speak about the request or the connection, and that a client acts on itself. */
function isOfTheProtocol(code: number, message: string): boolean {
  if (protocolCodes.has(code) || (code <= -32020 && code >= -32099)) return true;
  return code === INVALID_PARAMS && !badArguments.test(message) && !badResult.test(message);
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
