// The arguments by which a caller turns pages. With `paging: true` a tool takes `cursor` and `limit` without
// naming them in its own schema: they are listed with its input, and removed before the tool's schema sees
// the arguments.

import { ContractError } from "../../core/contract/contract-error.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../core/json/json-value.ts";
import { type MaskText, rejectInput } from "./input-failure.ts";
import { inPlace, localTarget, propertiesOf } from "../../core/schema/json-schema.ts";
import { warningFor } from "./repair-arguments.ts";
import {
  type SchemaIssue,
  type StandardSchema,
  jsonSchemaOf,
  acceptingSchema,
} from "../settings/standard-schema.ts";

const pagingProperties: JsonObject = {
  cursor: { type: "string", description: "Where the page starts: the cursor of the page before." },
  // No minimum is stated, since less than one is taken for one.
  limit: { type: "integer", description: "How many items the page has at most." },
};
const pagingNames = Object.keys(pagingProperties);

function namesOf(schema: JsonObject): readonly string[] {
  const { properties, required } = propertiesOf(schema);
  return [...Object.keys(properties), ...required];
}

/** The schemas that apply to the same arguments besides the root: members of a union, or of an intersection. */
function partsOf(root: JsonObject): readonly JsonObject[] {
  const [, ...parts] = inPlace([root], (schema) => localTarget(root, schema));
  return parts;
}

function isClosed({ additionalProperties, unevaluatedProperties }: JsonObject): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

function refuse(tool: string, why: string, fix: string): never {
  throw new ContractError("INVALID_OPTION", `${tool}: paging cannot be added, because ${why}: ${fix}.`, {
    tool,
    option: "paging",
  });
}

/** The input schema with `cursor` and `limit`; throws if a caller could not send them, or if the tool has its own. */
export function withPaging(tool: string, input: JsonObject): JsonObject {
  const branches = partsOf(input);
  if (input["type"] !== "object") refuse(tool, "its input is not an object", "give it an object schema");
  const own = [input, ...branches].flatMap(namesOf).find((name) => pagingNames.includes(name));
  if (own !== undefined) refuse(tool, `it takes ${own} itself`, "rename that argument, or leave paging out");
  if (branches.some(isClosed))
    refuse(
      tool,
      "a branch of its input takes no further keys",
      "open that branch, or take cursor and limit there",
    );
  const { properties } = propertiesOf(input);
  return { ...input, properties: { ...properties, ...pagingProperties } };
}

export interface PagingArguments {
  readonly args: unknown;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

const pagingSchema = acceptingSchema({ type: "object", properties: pagingProperties });

/** What is wrong with `cursor` or `limit`, in the form of a schema issue. */
function wrongType(name: string, wanted: string, given: JsonValue): SchemaIssue & { readonly code: string } {
  const got = Array.isArray(given) ? "array" : typeof given;
  const message = `Invalid input: expected ${wanted}, received ${got}`;
  return { code: "invalid_type", path: [name], message };
}

/**
 * Takes `cursor` and `limit` off a call's arguments; null counts as absent. `onRepair` is told of a limit
 * sent as text.
 */
export function takePaging(
  args: unknown,
  onRepair?: (warning: WarningDetail) => void,
  mask?: MaskText,
): PagingArguments {
  if (!isJsonObject(args)) return { args, cursor: undefined, limit: undefined };
  const { cursor = null, limit: given = null } = args;
  const isText = typeof given === "string" && onRepair !== undefined && /^[1-9]\d{0,8}$/.test(given);
  if (isText) onRepair(warningFor([{ path: ["limit"], from: given, to: Number(given) }]));
  const limit = isText ? Number(given) : given;
  const isCursor = cursor === null || typeof cursor === "string";
  const isLimit = limit === null || typeof limit === "number";
  if (!isCursor || !isLimit) {
    const issues = [
      ...(isCursor ? [] : [wrongType("cursor", "string", cursor)]),
      ...(isLimit ? [] : [wrongType("limit", "number", limit)]),
    ];
    throw rejectInput(issues, args, pagingSchema, mask);
  }
  return {
    args: mapObject(args, (value, key) => (pagingNames.includes(key) ? undefined : value)),
    cursor: cursor ?? undefined,
    limit: limit ?? undefined,
  };
}

/** Whether the tool's own arguments visibly have a cursor. A schema that cannot be listed is assumed to have one. */
export function takesCursor(schema: StandardSchema | undefined): boolean {
  if (schema === undefined) return false;
  const input = jsonSchemaOf(schema, "input");
  if (input === undefined) return true;
  const parts = [input, ...partsOf(input)];
  return parts.some((part) => {
    const { additionalProperties: more } = part;
    return namesOf(part).includes("cursor") || (more !== undefined && more !== false);
  });
}
