// Modern servers may want some arguments of a tool as HTTP headers too, so that what stands between can route by them
// (`x-mcp-header` in the input schema). A client on stdio sends none, so the gateway makes them.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";

/** One argument that a header repeats. */
interface ParameterHeader {
  readonly path: readonly string[];
  readonly name: string;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const MAX_DEPTH = 32;
const MAX_HEADERS = 64;
const MAX_TOOLS = 2_000;

/** Only properties that can be reached through `properties` alone may name a header. */
function collect(schema: JsonObject, path: readonly string[], found: ParameterHeader[]): void {
  const { properties } = schema;
  if (!isJsonObject(properties) || path.length >= MAX_DEPTH) return;
  for (const [key, child] of Object.entries(properties)) {
    if (!isJsonObject(child) || found.length >= MAX_HEADERS) continue;
    const name = child["x-mcp-header"];
    if (typeof name === "string" && token.test(name)) found.push({ path: [...path, key], name });
    collect(child, [...path, key], found);
  }
}

function valueAt(root: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = root;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  const isExact = typeof value === "number" && Number.isFinite(value);
  return isExact && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : undefined;
}

const plainValue = /^[\t\x20-\x7e]+$/;
const encodedValue = /^=\?base64\?.*\?=$/s;

/** A text as the value of an `Mcp-…` header: as it is where HTTP carries it unchanged, else in Base64. */
export function headerValue(text: string): string {
  const isPlain = plainValue.test(text) && text === text.trim() && !encodedValue.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Which arguments of which tools have headers, learnt from the lists that pass. */
export class ParameterHeaders {
  readonly #tools = new Map<string, readonly ParameterHeader[]>();

  /** Takes down a `tools/list` result. A tool that is listed again without headers has none any more. */
  learn({ tools }: JsonObject): void {
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
      const found: ParameterHeader[] = [];
      if (isJsonObject(tool["inputSchema"])) collect(tool["inputSchema"], [], found);
      if (found.length > 0 && this.#tools.size < MAX_TOOLS) this.#tools.set(tool["name"], found);
      else this.#tools.delete(tool["name"]);
    }
  }

  /** The headers of one call; an argument that is absent, null or no plain value has none. */
  of({ name, arguments: given }: JsonObject): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { path, name: header } of (typeof name === "string" ? this.#tools.get(name) : undefined) ??
      []) {
      const text = textOf(valueAt(given, path));
      if (text !== undefined) headers[`mcp-param-${header.toLowerCase()}`] = headerValue(text);
    }
    return headers;
  }
}
