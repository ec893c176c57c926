import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { nameKeyOf } from "../../../engine/transport/http/message-headers.ts";
import type { RequestHeaders } from "../auth/verdict.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";

const HEADER_MISMATCH = -32020;

/** A header that disagrees with the body, refused as the specification requires. */
export function mismatch(header: string, body: string): Refusal {
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
export function decodeHeaderValue(value: string): string | undefined {
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
    return mismatch(
      "(missing)",
      `the body carries params.${source}="${inBody}" but the required Mcp-Name header is absent`,
    );
  }
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined)
    return mismatch(header, "the Mcp-Name header carries an invalid Base64 sentinel value");
  if (inBody === undefined || decoded === inBody) return undefined;
  return mismatch(
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
    return mismatch(
      "(missing)",
      `the body envelope names protocol version ${revision} but the required MCP-Protocol-Version header is absent`,
    );
  if (headers["mcp-method"] === undefined)
    return mismatch(
      "(missing)",
      `the body names method ${method} but the required Mcp-Method header is absent`,
    );
  const source = nameKeyOf(method);
  return source === undefined ? undefined : checkName(headers, source, message["params"]);
}
