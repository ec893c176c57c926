// Says in tools/list what a tool's `structuredContent` looks like: the envelope around the tool's own data.
// Promises that every success, failure and cut of the given dialects conforms, and that the SDK clients of v1 and
// v2 can list and call the tool. A tool of which some result would not meet the schema gets no schema.

import type { DialectId } from "../contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import type { OnNote } from "./definitions.ts";
import { dialectRoots, joinRoots } from "./dialect-roots.ts";
import { type Payload, acceptsEveryObject, readPayload, shareSchema } from "./payload.ts";

const MAX_DEPTH = 100;

function relax(value: JsonValue, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => relax(item, depth + 1));
  if (!isJsonObject(value)) return value;
  // As a keyword it is a list; a property that happens to be called so is a schema.
  return mapObject(value, (item, key) =>
    key === "required" && Array.isArray(item) ? undefined : relax(item, depth + 1),
  );
}

/** The schema of data from which a configured filter may take any field. */
export function withoutRequired(schema: JsonObject): JsonObject {
  return relax(schema, 0) as JsonObject;
}

const envelopeKeys = ["success", "data", "error", "meta"];

/** Whether a schema is about a whole response-v2 envelope, not about the data in one. */
export function isEnvelopeSchema(schema: JsonObject): boolean {
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required : [];
  const isComplete = names.length === envelopeKeys.length && envelopeKeys.every((key) => names.includes(key));
  // A tool's own data may have fields of these names; in an envelope they have these types.
  return isComplete && typeOf(properties, "success") === "boolean" && typeOf(properties, "meta") === "object";
}

function typeOf(properties: JsonValue | undefined, name: string): JsonValue | undefined {
  const property = isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(property) ? property["type"] : undefined;
}

interface AdvertiseOutputOptions {
  /** The dialects a result of this tool may come in. */
  readonly dialects: readonly DialectId[];
  /** Whether a result may be cut down to its stub. Default: true. */
  readonly stub?: boolean;
  /** Whether lists in the data may come as tables. */
  readonly tables?: boolean;
  /** Whether the answer to a question may stand in the data's place. */
  readonly select?: boolean;
  /** The schema of the data where a result is written in an envelope, if it is another than that of a plain result. */
  readonly inEnvelope?: JsonObject | undefined;
  readonly onNote?: OnNote;
}

function rootOf(
  payload: Payload,
  dialects: readonly DialectId[],
  forms: { readonly stub: boolean; readonly select: boolean },
  inEnvelope: Payload = payload,
): JsonObject | undefined {
  const roots = dialects.map((dialect) =>
    dialectRoots[dialect](dialect === "plain" ? payload : inEnvelope, forms),
  );
  if (roots.length === 0 || roots.some((found) => found === undefined)) return undefined;
  return joinRoots(roots.flatMap((found) => found ?? []));
}

/** How often the payload's schema stands in the root; it is the same object wherever it stands whole. */
function countUses(value: JsonValue, schema: JsonObject): number {
  if (value === schema) return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, child) => sum + countUses(child, schema), 0);
}

function isRepeated(payload: Payload, root: JsonObject, dialects: readonly DialectId[]): boolean {
  if (payload.schema["$ref"] !== undefined || acceptsEveryObject(payload)) return false;
  return dialects.length > 1 || countUses(root, payload.schema) > 1;
}

/** The `outputSchema` of a tool whose data follows `toolSchema`; undefined when it must have none. */
export function advertiseOutput(
  toolSchema: JsonObject | undefined,
  options: AdvertiseOutputOptions,
): JsonObject | undefined {
  const { dialects, stub = true, tables = false, select = false, onNote = () => {} } = options;
  const distinct = [...new Set(dialects)];
  const payload = readPayload(toolSchema, { tables, onNote });
  const forms = { stub, select };
  const inEnvelope = options.inEnvelope && readPayload(options.inEnvelope, { tables, onNote });
  const root = rootOf(payload, distinct, forms, inEnvelope);
  if (root === undefined) return undefined;
  const shared = isRepeated(payload, root, distinct) ? shareSchema(payload) : payload;
  const { type, ...rest } = rootOf(shared, distinct, forms, inEnvelope ?? shared) ?? root;
  const $defs = Object.keys(shared.defs).length > 0 ? { $defs: shared.defs } : {};
  return { type: type ?? "object", ...rest, ...$defs };
}
