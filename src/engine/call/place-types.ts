import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { getByPointer } from "../../core/json/pointer.ts";

export type JsonType = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Schemas inside schemas at one place; a schema that needs more is taken as one that does not say. */
const MAX_NESTING = 16;

export function typeOfJson(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function referred(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#")) return schema;
  const found = getByPointer(root, decodeURIComponent($ref.slice(1)));
  return isSchema(found) ? found : schema;
}

/** The values a schema names one by one, if it does. */
function choicesOf({ const: only, enum: some }: JsonObject): readonly JsonValue[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(some) ? some : undefined;
}

/** False for a member of a union that a field decides, and that decides against this value. */
function mayHold(member: JsonObject, value: JsonValue): boolean {
  const { properties } = member;
  if (!isJsonObject(value) || !isSchema(properties)) return true;
  return Object.entries(properties).every(([key, field]) => {
    const choices = isSchema(field) ? choicesOf(field) : undefined;
    return choices === undefined || !Object.hasOwn(value, key) || choices.includes(value[key] ?? null);
  });
}

/** The schema and all that stand in its unions and intersections, those that cannot hold for the value left out. */
function spread(schema: JsonObject, value: JsonValue, root: JsonObject, level = 0): readonly JsonObject[] {
  const own = referred(schema, root);
  if (level > MAX_NESTING) return [own];
  const members = [...schemasIn(own["anyOf"]), ...schemasIn(own["oneOf"]), ...schemasIn(own["allOf"])];
  const held = members.map((member) => referred(member, root)).filter((member) => mayHold(member, value));
  return [own, ...held.flatMap((member) => spread(member, value, root, level + 1))];
}

function fieldOf(schema: JsonObject, key: string, holder: JsonValue): JsonValue | undefined {
  if (Array.isArray(holder)) {
    const { prefixItems, items } = schema;
    const own = Array.isArray(prefixItems) ? prefixItems[Number(key)] : undefined;
    return own ?? items;
  }
  const { properties, additionalProperties } = schema;
  return isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

/** The JSON types that a schema takes; undefined where it does not say. */
function typesOf(schema: JsonObject, root: JsonObject, level = 0): ReadonlySet<string> | undefined {
  const own = referred(schema, root);
  if (level > MAX_NESTING) return undefined;
  const { type } = own;
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const choices = choicesOf(own);
  if (choices !== undefined) return new Set(choices.map(typeOfJson));
  const union = [...schemasIn(own["anyOf"]), ...schemasIn(own["oneOf"])];
  if (union.length > 0) return unite(union.map((member) => typesOf(member, root, level + 1)));
  // What all of them take, each of them takes: the first that says its types is enough.
  return schemasIn(own["allOf"])
    .map((member) => typesOf(member, root, level + 1))
    .find((types) => types !== undefined);
}

function unite(all: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = all.filter((types) => types !== undefined);
  return known.length < all.length ? undefined : new Set(known.flatMap((types) => [...types]));
}

/** The JSON types that the schema of arguments takes at a place in them; undefined where it does not say. */
export function typesAt(
  root: JsonObject,
  args: JsonObject,
  path: readonly string[],
): ReadonlySet<string> | undefined {
  let places: readonly JsonObject[] = [root];
  let at: JsonValue = args;
  for (const key of path) {
    const holder: JsonValue = at;
    const fields = places
      .flatMap((place) => spread(place, holder, root))
      .map((place) => fieldOf(place, key, holder));
    // `true` takes anything, so it says nothing; `false` takes nothing.
    if (fields.includes(true)) return undefined;
    places = fields.filter(isSchema);
    at = (holder as Readonly<Record<string, JsonValue>>)[key] ?? null;
  }
  return places.length === 0 ? undefined : unite(places.map((place) => typesOf(place, root)));
}
