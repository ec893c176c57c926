// Modern servers may require some arguments of a tool as HTTP headers too. A client on stdio sends none, so
// the gateway makes them from the tool lists that pass through it.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type MarkedArgument, markedArguments, valueOfMarked, writtenInHeader } from "../marked-arguments.ts";

const MAX_TOOLS = 2_000;

const plainValue = /^[\t\x20-\x7e]+$/;
const encodedValue = /^=\?base64\?.*\?=$/s;

/** A text as the value of an `Mcp-…` header: unchanged if HTTP can carry it, else in Base64. */
export function headerValue(text: string): string {
  const isPlain = plainValue.test(text) && text === text.trim() && !encodedValue.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Which arguments of which tools have headers, learnt from the tool lists that pass. */
export class ParameterHeaders {
  readonly #tools = new Map<string, readonly MarkedArgument[]>();

  /** Notes a `tools/list` result. A tool that is listed again without headers has none any more. */
  learn({ tools }: JsonObject): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
      const found = markedArguments(tool["inputSchema"]);
      if (found.length > 0 && this.#tools.size < MAX_TOOLS) this.#tools.set(tool["name"], found);
      else this.#tools.delete(tool["name"]);
    }
  }

  /** The headers of one call; an argument that is absent, null or not a plain value has none. */
  of({ name, arguments: given }: JsonObject): Record<string, string> {
    const headers: Record<string, string> = {};
    const marked = typeof name === "string" ? this.#tools.get(name) : undefined;
    for (const one of marked ?? []) {
      const text = writtenInHeader(valueOfMarked(one, given));
      if (text !== undefined) headers[`mcp-param-${one.header.toLowerCase()}`] = headerValue(text);
    }
    return headers;
  }
}
