// What a request of the modern era says twice, in headers and in its body: a server must refuse it where the two disagree,
// because proxies have routed it by the headers.

import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import {
  nameKeyOf,
  type MarkedArgument,
  markedArguments,
  valueOfMarked,
  writtenInHeader,
} from "../../../engine/transport/http/message-headers.ts";
import { HEADER_MISMATCH } from "../../../core/protocol/names.ts";
import type { RequestHeaders } from "../../../engine/request/sign-in/verdict.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";

/** A header that disagrees with the body, refused as the specification requires. */
export function headerMismatch(header: string, body: string): Refusal {
  return {
    status: 400,
    code: HEADER_MISMATCH,
    message: `Bad Request: the request headers and body disagree: ${body}`,
    data: { mismatch: { header, body } },
  };
}

const ENCODED_START = "=?base64?";
const ENCODED_END = "?=";
const canonicalBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A header's value; a value that a header cannot hold is sent as Base64 between marks. Undefined if that is broken. */
function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(ENCODED_START) || !value.endsWith(ENCODED_END)) return value;
  const encoded = value.slice(ENCODED_START.length, -ENCODED_END.length);
  if (!canonicalBase64.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}

/** Node trims spaces around a value; a tab may remain. */
function trimmed(value: string | undefined): string | undefined {
  return value?.replace(/^[ \t]+|[ \t]+$/g, "");
}

export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  return trimmed(headers[name]);
}

function checkName(headers: RequestHeaders, source: string, params: unknown): Refusal | undefined {
  const named = isJsonObject(params) ? params[source] : undefined;
  const inBody = typeof named === "string" ? named : undefined;
  const header = headerOf(headers, "mcp-name");
  if (header === undefined) {
    if (inBody === undefined) return undefined;
    return headerMismatch(
      "(missing)",
      `the body carries params.${source}="${inBody}" but the required Mcp-Name header is absent`,
    );
  }
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined)
    return headerMismatch(header, "the Mcp-Name header carries an invalid Base64 sentinel value");
  if (inBody === undefined || decoded === inBody) return undefined;
  return headerMismatch(
    header,
    `the body carries params.${source}="${inBody}" but the Mcp-Name header names "${decoded}"`,
  );
}

/** Checks the headers that every request of the modern era carries besides its body. */
export function checkStandardHeaders(
  message: JsonObject,
  revision: string,
  headers: RequestHeaders,
): Refusal | undefined {
  const { method } = message;
  if (typeof method !== "string") return undefined;
  if (headers["mcp-protocol-version"] === undefined)
    return headerMismatch(
      "(missing)",
      `the body envelope names protocol version ${revision} but the required MCP-Protocol-Version header is absent`,
    );
  if (headers["mcp-method"] === undefined)
    return headerMismatch(
      "(missing)",
      `the body names method ${method} but the required Mcp-Method header is absent`,
    );
  const source = nameKeyOf(method);
  return source === undefined ? undefined : checkName(headers, source, message["params"]);
}

const decimal = /^-?\d+(\.\d+)?$/;

function checkArgument(marked: MarkedArgument, args: unknown, headers: RequestHeaders): Refusal | undefined {
  const value = valueOfMarked(marked, args);
  const expected = writtenInHeader(value);
  if (expected === undefined) return undefined;
  const name = `Mcp-Param-${marked.header}`;
  const place = marked.path.join(".");
  const header = headers[name.toLowerCase()];
  if (header === undefined)
    return headerMismatch(
      name,
      `the body carries ${place}=${JSON.stringify(value)} but the ${name} header is absent`,
    );
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined)
    return headerMismatch(name, `the ${name} header carries an invalid Base64 sentinel value`);
  const isEqual =
    marked.isNumber && decimal.test(decoded) && typeof value === "number"
      ? Number(decoded) === value
      : decoded === expected;
  if (isEqual) return undefined;
  return headerMismatch(
    name,
    `the ${name} header decodes to ${JSON.stringify(decoded)} but the body carries ${place}=${JSON.stringify(value)}`,
  );
}

/** Compares the headers of a tool call with its arguments. */
export function checkParamHeaders(
  marked: readonly MarkedArgument[],
  { params }: JsonObject,
  headers: RequestHeaders,
): Refusal | undefined {
  const args = isJsonObject(params) ? params["arguments"] : undefined;
  for (const one of marked) {
    const refusal = checkArgument(one, args, headers);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** An SDK client reads this many pages of a list. */
const MAX_PAGES = 64;
/** A server that does not list its tools in this time is called without the check, like a server without marks. */
const MAX_WAIT_MS = 10_000;

type Tools = ReadonlyMap<string, readonly MarkedArgument[]>;

function noteTools(result: JsonObject, into: Map<string, readonly MarkedArgument[]>): void {
  const { tools } = result;
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
    const marked = markedArguments(tool["inputSchema"]);
    if (marked.length > 0) into.set(tool["name"], marked);
  }
}

/**
 * Reads a server's list of tools page by page, with the version and capabilities of the request that needs it.
 * Undefined if the server ended meanwhile, or did not answer.
 */
function readTools(link: Link, meta: JsonObject): Promise<Tools | undefined> {
  return new Promise((resolve) => {
    const found = new Map<string, readonly MarkedArgument[]>();
    let pages = 0;
    const end = (tools: Tools | undefined): void => {
      clearTimeout(timer);
      link.close();
      resolve(tools);
    };
    const timer = setTimeout(() => end(undefined), MAX_WAIT_MS);
    const ask = (cursor: unknown): void => {
      pages += 1;
      const params = cursor === undefined ? { _meta: meta } : { _meta: meta, cursor };
      link.send(JSON.stringify({ jsonrpc: "2.0", id: pages, method: "tools/list", params }));
    };
    link.listen({
      message: (bytes) => {
        const message = jsonIn(bytes.toString());
        const result = isJsonObject(message) ? message["result"] : undefined;
        if (!isJsonObject(result)) return end(found);
        noteTools(result, found);
        const { nextCursor } = result;
        return typeof nextCursor === "string" && pages < MAX_PAGES ? ask(nextCursor) : end(found);
      },
      oversized: () => end(found),
      closed: () => end(undefined),
      interrupted: () => end(undefined),
    });
    ask(undefined);
  });
}

/** How long a list is trusted; a server of this era reports changes only to subscribers. */
const MAX_AGE_MS = 300_000;

/** The arguments that a server's tools expect in headers. Read once for each process, when the first tool is called. */
export class MarkedTools {
  #tools: Tools | Promise<Tools | undefined> | undefined;
  #readAt = 0;

  /** The marked arguments of a tool: synchronous if they are known and not older than `maxAgeMs`. */
  find(
    name: string,
    meta: JsonObject,
    open: () => Link,
    maxAgeMs: number = MAX_AGE_MS,
  ): readonly MarkedArgument[] | Promise<readonly MarkedArgument[]> {
    const now = Date.now();
    if (now - this.#readAt > maxAgeMs) this.#tools = undefined;
    if (this.#tools === undefined) {
      this.#readAt = now;
      this.#tools = readTools(open(), meta).then((tools) => (this.#tools = tools));
    }
    const tools = this.#tools;
    if (tools instanceof Promise) return tools.then((ready) => ready?.get(name) ?? []);
    return tools.get(name) ?? [];
  }
}
