// Arguments that a tool's schema marks with `x-mcp-header` travel as headers too, so that what stands between client and
// server can route by them. A server has to refuse a call whose headers and arguments disagree.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import type { RequestHeaders } from "./http-parts.ts";
import { decodeHeaderValue, mismatch } from "./modern-headers.ts";
import type { Refusal } from "./refuse-request.ts";

const MARK = "x-mcp-header";
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const markedTypes = new Set(["string", "integer", "boolean", "number"]);
const decimal = /^-?\d+(\.\d+)?$/;
/** Deeper than any real arguments. */
const MAX_DEPTH = 64;

/** An argument that has a header of its own. */
export interface MarkedArgument {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

function markedIn(schema: unknown, path: readonly string[], found: MarkedArgument[]): void {
  if (!isJsonObject(schema) || path.length > MAX_DEPTH) return;
  const { [MARK]: header, type, properties } = schema;
  const isMarked = typeof header === "string" && headerName.test(header) && path.length > 0;
  if (isMarked && typeof type === "string" && markedTypes.has(type))
    found.push({ path, header, isNumber: type === "integer" || type === "number" });
  if (!isJsonObject(properties)) return;
  for (const [name, inner] of Object.entries(properties)) markedIn(inner, [...path, name], found);
}

/** The arguments of a tool that travel as headers; two of one name make the tool invalid, so none counts. */
export function markedArguments(inputSchema: unknown): readonly MarkedArgument[] {
  const found: MarkedArgument[] = [];
  markedIn(inputSchema, [], found);
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return names.size === found.length ? found : [];
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let node = root;
  for (const name of path) node = isJsonObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  return node;
}

/** How an argument is written in a header; undefined for one that no header can hold. */
function written(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return undefined;
  return String(value);
}

function checkArgument(marked: MarkedArgument, args: unknown, headers: RequestHeaders): Refusal | undefined {
  const value = valueAt(args, marked.path);
  const expected = written(value);
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
