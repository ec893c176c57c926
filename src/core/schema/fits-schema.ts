// Whether a value keeps to the parts of a schema that results break in practice: types, required and closed
// members, choices.
// A client's own validator knows more; of what is not read here it is taken for granted that it holds.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { getByPointer } from "../json/pointer.ts";
import { jsonTypeOf, namedTypes } from "./json-schema.ts";

/** Deeper schemas refer to themselves. */
const MAX_DEPTH = 32;

export function fitsSchema(value: JsonValue, schema: JsonObject): boolean {
  return keepsTo(value, schema, schema, 0);
}

function keepsTo(value: JsonValue, schema: JsonValue | undefined, root: JsonObject, depth: number): boolean {
  if (schema === false) return false;
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return true;
  const keeps = (each: JsonValue, part: JsonValue | undefined): boolean =>
    keepsTo(each, part, root, depth + 1);
  const { $ref, enum: choices, const: only, allOf, anyOf, oneOf } = schema;
  if (!hasType(value, schema)) return false;
  if (typeof $ref === "string" && $ref.startsWith("#/") && !keeps(value, getByPointer(root, $ref.slice(1))))
    return false;
  if (Array.isArray(choices) && typeof value !== "object" && !choices.includes(value)) return false;
  if (only !== undefined && typeof value !== "object" && typeof only !== "object" && only !== value)
    return false;
  if (Array.isArray(allOf) && !allOf.every((part) => keeps(value, part))) return false;
  for (const some of [anyOf, oneOf])
    if (Array.isArray(some) && some.length > 0 && !some.some((part) => keeps(value, part))) return false;
  return membersKeep(value, schema, keeps);
}

function hasType(value: JsonValue, schema: JsonObject): boolean {
  const types = namedTypes(schema);
  if (types === undefined || types.length === 0) return true;
  return types.includes(jsonTypeOf(value)) || (types.includes("integer") && Number.isInteger(value));
}

function membersKeep(
  value: JsonValue,
  { properties, patternProperties, additionalProperties: others, required, items }: JsonObject,
  keeps: (member: JsonValue, schema: JsonValue | undefined) => boolean,
): boolean {
  // Draft 7 writes a tuple as a list of items: its places are not told apart here.
  if (Array.isArray(value)) return !isJsonObject(items) || value.every((item) => keeps(item, items));
  if (!isJsonObject(value)) return true;
  if (
    Array.isArray(required) &&
    !required.every((name) => typeof name !== "string" || Object.hasOwn(value, name))
  )
    return false;
  const named = isJsonObject(properties) ? properties : {};
  // Patterns are not read here, so with them every other name may be one of theirs.
  const rest = patternProperties === undefined ? others : true;
  return Object.entries(value).every(
    ([name, member]) =>
      member === undefined || keeps(member, Object.hasOwn(named, name) ? named[name] : rest),
  );
}
