// Opens one schema: what it says of the tool's data, without what a later cut or an added key would break.
// Promises that every instance of the schema, whole or with list items left out, is accepted, and that the SDK clients
// can compile it. Never writes a boolean schema, `$id`, `$schema` or a ref that `refer` does not know.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { type OpenChild, branches, isPattern, keywordNamed } from "./schema-keywords.ts";

/** The advertised address of a ref's target, or undefined if the ref cannot be resolved. */
export type Refer = (keyword: RefKeyword, ref: string) => string | undefined;

const refKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
export type RefKeyword = (typeof refKeywords)[number];

/** Draft 7 writes a tuple as a list of items; 2020-12 as prefixItems. */
function tupleOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const tuple = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : schema["items"];
  return Array.isArray(tuple) && tuple.length > 0 ? tuple : undefined;
}

/** If a pattern had to be removed, its keys would fall under additionalProperties. */
function hasLostPattern(schema: JsonObject): boolean {
  const patterns = schema["patternProperties"];
  return isJsonObject(patterns) && !Object.keys(patterns).every(isPattern);
}

/** The schema in keywords that mean the same to every client. */
function restate(schema: JsonObject): JsonObject {
  const tuple = tupleOf(schema);
  const { items: _items, prefixItems: _tuple, ...rest } = schema;
  // 1.x clients ignore prefixItems and check every item against `items`, so items after a tuple are not described.
  const listed = tuple === undefined ? schema : { ...rest, prefixItems: tuple };
  const { additionalProperties: _additional, ...open } = listed;
  const { type, nullable } = schema;
  const isNullable = nullable === true && (typeof type === "string" || Array.isArray(type));
  return {
    ...(hasLostPattern(schema) ? open : listed),
    ...(isNullable ? { type: [...(Array.isArray(type) ? type : [type]), "null"] } : {}),
  };
}

/** One matching branch is enough: opened branches overlap, so "exactly one" would be too strict. */
function withChoices(opened: JsonObject, oneOf: JsonValue | undefined, open: OpenChild): JsonObject {
  const choices = oneOf === undefined ? undefined : branches(oneOf, open);
  if (choices === undefined) return opened;
  if (opened["anyOf"] === undefined) return { ...opened, anyOf: choices };
  const all = Array.isArray(opened["allOf"]) ? opened["allOf"] : [];
  return { ...opened, allOf: [...all, { anyOf: choices }] };
}

function addressOf(schema: JsonObject, refer: Refer): JsonObject {
  for (const keyword of refKeywords) {
    const ref = schema[keyword];
    const address = typeof ref === "string" ? refer(keyword, ref) : undefined;
    if (address !== undefined) return { $ref: address };
  }
  return {};
}

export function openSchema(schema: JsonObject, open: OpenChild, refer: Refer): JsonObject {
  const kept = mapObject(restate(schema), (value, key) => keywordNamed(key)?.(value, open));
  return { ...addressOf(schema, refer), ...withChoices(kept, schema["oneOf"], open) };
}
