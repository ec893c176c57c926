// Arguments that a tool's schema marks with `x-mcp-header` are also sent as headers, so that machines between
// client and server can route by them. This module finds those arguments and the values of their headers.

import { isJsonObject } from "../../core/json/json-value.ts";

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
