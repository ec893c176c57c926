// A server has to refuse a call whose headers and arguments disagree: what stands in between has routed by the headers.

import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import {
  type MarkedArgument,
  valueOfMarked,
  writtenInHeader,
} from "../../../engine/transport/marked-arguments.ts";
import type { RequestHeaders } from "../auth/verdict.ts";
import { decodeHeaderValue, mismatch } from "./modern-headers.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";

const decimal = /^-?\d+(\.\d+)?$/;

function checkArgument(marked: MarkedArgument, args: unknown, headers: RequestHeaders): Refusal | undefined {
  const value = valueOfMarked(marked, args);
  const expected = writtenInHeader(value);
  if (expected === undefined) return undefined;
  const name = `Mcp-Param-${marked.header}`;
  const place = marked.path.join(".");
  const header = headers[name.toLowerCase()];
  if (header === undefined)
    return mismatch(
      name,
      `the body carries ${place}=${JSON.stringify(value)} but the ${name} header is absent`,
    );
  const decoded = decodeHeaderValue(header);
  if (decoded === undefined)
    return mismatch(name, `the ${name} header carries an invalid Base64 sentinel value`);
  const isEqual =
    marked.isNumber && decimal.test(decoded) && typeof value === "number"
      ? Number(decoded) === value
      : decoded === expected;
  if (isEqual) return undefined;
  return mismatch(
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
