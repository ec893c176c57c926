import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";

const era = "2026-07-28";

/** One call of a tool, as any HTTP client makes it in the protocol of 2026-07-28: no session comes before it. */
export async function callOverHttp(url: string, name: string, args: JsonObject): Promise<JsonObject> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": era,
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, _meta: meta },
    }),
  });
  const message = (await response.json()) as JsonValue;
  const result = isJsonObject(message) ? message["result"] : undefined;
  if (!isJsonObject(result)) throw new Error(`The demo's own call failed: ${JSON.stringify(message)}`);
  return result;
}

/** The text that a model would read. */
export function textOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block) => (isJsonObject(block) && typeof block["text"] === "string" ? block["text"] : ""))
    .join("\n");
}
