// What HTTP needs to know of a message: the headers that repeat parts of it, and whose answer it is.

import { type JsonObject, isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { mcpMeta } from "../../../core/protocol/names.ts";
import { glance, memberSpans, rawIdOf, withRawId } from "../raw-message.ts";

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

// Modern servers may require some arguments of a tool as HTTP headers too. A client on stdio sends none, so
// the gateway makes them from the tool lists that pass through it.

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

// Arguments that a tool's schema marks with `x-mcp-header` are also sent as headers, so that machines between
// client and server can route by them. This module finds those arguments and the values of their headers.

const MARK = "x-mcp-header";
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const markedTypes = new Set(["string", "integer", "boolean", "number"]);
/** Deeper than any real arguments. */
const MAX_DEPTH = 64;
/** More than fit into the headers of a request. */
const MAX_MARKED = 64;

/** An argument that has its own header. */
export interface MarkedArgument {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

/** Only properties that are reached through `properties` alone may be marked. */
function markedIn(schema: unknown, path: readonly string[], found: MarkedArgument[]): void {
  if (!isJsonObject(schema) || path.length > MAX_DEPTH || found.length >= MAX_MARKED) return;
  const { [MARK]: header, type, properties } = schema;
  const isMarked = typeof header === "string" && headerName.test(header) && path.length > 0;
  if (isMarked && typeof type === "string" && markedTypes.has(type))
    found.push({ path, header, isNumber: type === "integer" || type === "number" });
  if (!isJsonObject(properties)) return;
  for (const [name, inner] of Object.entries(properties)) markedIn(inner, [...path, name], found);
}

/** The arguments of a tool that are sent as headers. Two headers of one name make the tool invalid, so none counts. */
export function markedArguments(inputSchema: unknown): readonly MarkedArgument[] {
  const found: MarkedArgument[] = [];
  markedIn(inputSchema, [], found);
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return names.size === found.length ? found : [];
}

/** The value of a marked argument; undefined if the call does not have it. */
export function valueOfMarked({ path }: MarkedArgument, args: unknown): unknown {
  let node = args;
  for (const name of path) node = isJsonObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  return node;
}

/** The text of a value in a header, before encoding; undefined for a value that no header can carry. */
export function writtenInHeader(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** A message on its way to the server. */
export interface Outgoing {
  readonly bytes: Buffer;
  readonly message: JsonObject;
  readonly method: string | undefined;
  /** For a request: the key that identifies its answer, and the JSON text of its id. */
  readonly key: string | undefined;
  readonly rawId: string | undefined;
  /** The key of the request that this message cancels. */
  readonly cancels: string | undefined;
  /** True for the second attempt, in a new session. */
  readonly isAgain: boolean;
}

/** Reads what the link must know of a message; undefined for a text that is not a message. */
export function outgoing(sent: Uint8Array | string): Outgoing | undefined {
  const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from(sent as string);
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined) return undefined;
  const { id, method, params } = message;
  const named = typeof method === "string" ? method : undefined;
  const isRequest = named !== undefined && id !== undefined && id !== null;
  const isCancel =
    named === "notifications/cancelled" && isJsonObject(params) && params["requestId"] !== undefined;
  return {
    bytes,
    message,
    method: named,
    key: isRequest ? JSON.stringify(id) : undefined,
    rawId: isRequest ? (rawIdOf(bytes) ?? JSON.stringify(id)) : undefined,
    cancels: isCancel ? JSON.stringify(params["requestId"]) : undefined,
    isAgain: false,
  };
}

/** Whether a message of the server is the response that a request waits for. For most messages the two ends show it. */
export function isAnswerTo({ key }: Pick<Outgoing, "key">, bytes: Buffer): boolean {
  const { kind, rawId } = glance(bytes);
  if (kind === "response" && JSON.stringify(JSON.parse(rawId)) === key) return true;
  if (kind === "request" || kind === "notification") return false;
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined || message["method"] !== undefined) return false;
  const { id } = message;
  return (typeof id === "string" || typeof id === "number") && JSON.stringify(id) === key;
}

/** A JSON-RPC error as the answer to a request: servers that refuse early often do not repeat its id. */
export function spliceError(bytes: Buffer, rawId: string): Buffer | undefined {
  const message = jsonObjectIn(bytes.toString("utf8"));
  if (message === undefined || !isJsonObject(message["error"]) || message["method"] !== undefined)
    return undefined;
  if (message["id"] !== undefined) return withRawId(bytes, rawId);
  // Copied as text: an error that is nested too deep could not be written again.
  const error = memberSpans(bytes.toString("latin1")).get("error");
  const said = bytes.subarray(error?.start, error?.end);
  return Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"error":`), said, Buffer.from("}")]);
}
