// The one reader of JSON Schema: its types, its keywords, the schemas inside a schema, and the targets of refs.
// Whatever advertises, judges, samples or shows a tool's schema reads it with these functions. They fetch nothing, and
// none of them follows a ref twice.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { appendPointer, getByPointer } from "../json/pointer.ts";

export const jsonTypes = ["object", "array", "string", "number", "boolean", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The types that a schema may name. */
export const typeNames: readonly JsonValue[] = [...jsonTypes, "integer"];

export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** The kinds of values that keywords have; the last five contain schemas. */
export type KeywordKind =
  | "text"
  | "number"
  | "count"
  | "factor"
  | "flag"
  | "types"
  | "names"
  | "choices"
  | "schema"
  | "items"
  | "schemas"
  | "schema-map"
  | "dependencies";

const keywordsByKind: Readonly<Record<KeywordKind, string>> = {
  text: "$ref description format pattern title contentEncoding contentMediaType",
  number: "exclusiveMaximum exclusiveMinimum maximum minimum",
  count: "maxItems maxLength maxProperties minItems minLength minProperties",
  factor: "multipleOf",
  flag: "uniqueItems",
  types: "type",
  names: "required",
  choices: "enum",
  schema:
    "additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties",
  // Draft 7 writes a tuple as a list of items, and the schemas of most servers do not name their draft.
  items: "items",
  schemas: "allOf anyOf oneOf prefixItems",
  "schema-map": "$defs definitions dependentSchemas patternProperties properties",
  // Draft 7: a schema, or a list of names.
  dependencies: "dependencies",
};

export const keywordKinds: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(keywordsByKind).flatMap(([kind, keywords]) =>
    keywords.split(" ").map((keyword) => [keyword, kind as KeywordKind]),
  ),
);

export interface ChildSchema {
  readonly keyword: string;
  /** JSON Pointer, below the path of the schema. */
  readonly path: string;
  readonly schema: JsonValue;
}

export function isSchema(value: JsonValue): boolean {
  return isJsonObject(value) || typeof value === "boolean";
}

/** The direct subschemas of a schema, booleans too. */
export function childrenOf(schema: JsonObject, path = ""): readonly ChildSchema[] {
  return [...keywordKinds].flatMap(([keyword, kind]): readonly ChildSchema[] => {
    const value = schema[keyword];
    if (value === undefined) return [];
    const place = appendPointer(path, keyword);
    const isOne = kind === "schema" || (kind === "items" && !Array.isArray(value));
    if (isOne) return isSchema(value) ? [{ keyword, path: place, schema: value }] : [];
    const isMap = kind === "schema-map" || kind === "dependencies";
    const isList = kind === "schemas" || kind === "items";
    if (!(isMap && isJsonObject(value)) && !(isList && Array.isArray(value))) return [];
    return Object.entries(value as JsonObject)
      .filter(([, each]) => isSchema(each))
      .map(([key, each]) => ({ keyword, path: appendPointer(place, key), schema: each }));
  });
}

/**
 * The schema with each direct subschema that is an object replaced; everything else stays, in its order. `key` is the name
 * of a member: of a property, of a definition.
 */
export function mapChildren(
  schema: JsonObject,
  map: (child: JsonObject, keyword: string, key: string | undefined) => JsonValue,
): JsonObject {
  return mapObject(schema, (value, keyword) => {
    const kind = keywordKinds.get(keyword);
    const child = (each: JsonValue, key?: string): JsonValue =>
      isJsonObject(each) ? map(each, keyword, key) : each;
    if (kind === "schema") return child(value);
    if (kind === "items" || kind === "schemas")
      return Array.isArray(value) ? value.map((each) => child(each)) : child(value);
    if (kind !== "schema-map" && kind !== "dependencies") return value;
    return isJsonObject(value) ? mapObject(value, child) : value;
  });
}

/** The schemas of a list that are objects. */
export function schemasIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The members of `allOf`, `anyOf` and `oneOf`. */
export function branchesOf({ allOf, anyOf, oneOf }: JsonObject): readonly JsonObject[] {
  return [allOf, anyOf, oneOf].flatMap(schemasIn);
}

/** Schemas and every schema that may apply to the same value; `targetOf` gives the target of a schema's ref. */
export function inPlace(
  schemas: readonly JsonObject[],
  targetOf: (schema: JsonObject) => JsonValue | undefined = () => undefined,
): ReadonlySet<JsonObject> {
  const found = new Set<JsonObject>();
  const pending = [...schemas].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const { dependentSchemas } = next;
    const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
    const all = [targetOf(next), ...branchesOf(next), ...dependent].filter(isJsonObject);
    pending.push(...all.reverse());
  }
  return found;
}

/** The properties of an object's schema, and which of them are required. */
export function propertiesOf({ properties, required }: JsonObject): {
  readonly properties: JsonObject;
  readonly required: ReadonlySet<string>;
} {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return { properties: isJsonObject(properties) ? properties : {}, required: new Set(names) };
}

/** The schema of one member: of a key, or of the item at an index. */
export function memberSchema(schema: JsonObject, key: string | number): JsonValue | undefined {
  if (typeof key === "number") {
    const { prefixItems, items } = schema;
    return (Array.isArray(prefixItems) ? (prefixItems as readonly JsonValue[])[key] : undefined) ?? items;
  }
  const { properties } = propertiesOf(schema);
  return Object.hasOwn(properties, key) ? properties[key] : schema["additionalProperties"];
}

/** The types that `type` names; undefined if there is no such keyword. */
export function namedTypes({ type }: JsonObject): readonly string[] | undefined {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : undefined;
}

/** The values that a schema names one by one, if it does. */
export function choicesOf({ const: only, enum: some }: JsonObject): readonly JsonValue[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(some) ? some : undefined;
}

export function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

// Ajv 6 compiles patterns without the u flag, Ajv 8 with it; an invalid pattern fails the list of 1.25 to 1.32 clients.
export function isPattern(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  try {
    return ["", "u"].every((flags) => new RegExp(value, flags).source !== "");
  } catch {
    return false;
  }
}

/** The place that the part of a ref after `#` names: a pointer from the root, or an anchor. */
function atFragment(
  fragment: string,
  root: JsonValue,
  anchors?: ReadonlyMap<string, JsonObject>,
): JsonValue | undefined {
  try {
    const name = decodeURIComponent(fragment);
    return name === "" || name.startsWith("/") ? getByPointer(root, name) : anchors?.get(name);
  } catch {
    return undefined;
  }
}

/** The target of a schema's `$ref` by a pointer into the same document; undefined for every other ref. */
export function localTarget(root: JsonValue, { $ref }: JsonObject): JsonValue | undefined {
  return typeof $ref === "string" && $ref.startsWith("#") ? atFragment($ref.slice(1), root) : undefined;
}

/** A longer chain of refs is a circle. */
const MAX_STEPS = 16;

/** A schema with what its local refs name; the keywords beside a ref win. A dead ref leaves those alone. */
export function resolveLocal(root: JsonValue, schema: JsonValue | undefined): JsonObject {
  let at = schema;
  for (let step = 0; step < MAX_STEPS && isJsonObject(at); step += 1) {
    const { $ref, ...beside } = at;
    if (typeof $ref !== "string") return at;
    const target = localTarget(root, at);
    at = isJsonObject(target) ? { ...target, ...beside } : beside;
  }
  return {};
}

export const refKeywords = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
export type RefKeyword = (typeof refKeywords)[number];

/** A schema document, or one embedded in it by its own `$id`. */
interface Resource {
  readonly id: string;
  readonly root: JsonObject;
  readonly anchors: Map<string, JsonObject>;
}

export interface SchemaIndex {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Anchors that more than one resource defines. */
  readonly sharedAnchors: ReadonlySet<string>;
  /** The resource that contains an object of the document. */
  readonly homes: ReadonlyMap<JsonObject, Resource>;
}

function resolveUri(uri: string, base: string): string {
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function addAnchors(schema: JsonObject, { anchors }: Resource): void {
  const { $id, $anchor, $dynamicAnchor } = schema;
  // Draft 7 writes an anchor as an `$id` that is only a fragment.
  const fragment = typeof $id === "string" && $id.startsWith("#") ? $id.slice(1) : undefined;
  for (const name of [fragment, $anchor, $dynamicAnchor]) {
    if (typeof name === "string" && name !== "" && !anchors.has(name)) anchors.set(name, schema);
  }
}

function startsResource(schema: JsonObject): boolean {
  return typeof schema["$id"] === "string" && !schema["$id"].startsWith("#");
}

function resourceAt(schema: JsonObject, parent: Resource | undefined): Resource {
  if (parent !== undefined && !startsResource(schema)) return parent;
  const uri = typeof schema["$id"] === "string" ? schema["$id"] : "";
  const [id = ""] = resolveUri(uri, parent?.id ?? "").split("#");
  return { id, root: schema, anchors: new Map() };
}

function findShared(resources: Iterable<Resource>): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { anchors } of resources) {
    for (const name of anchors.keys()) (seen.has(name) ? shared : seen).add(name);
  }
  return shared;
}

/** Finds every `$id` and anchor, also below unknown keywords, because pointers may lead there. */
export function indexSchema(root: JsonObject): SchemaIndex {
  const resources = new Set<Resource>();
  const homes = new Map<JsonObject, Resource>();
  const pending: { value: JsonValue; parent: Resource | undefined }[] = [{ value: root, parent: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, parent } = next;
    let home = parent;
    if (isJsonObject(value)) {
      if (homes.has(value)) continue;
      home = resourceAt(value, parent);
      resources.add(home);
      homes.set(value, home);
      addAnchors(value, home);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const child of Object.values(value).reverse()) pending.push({ value: child, parent: home });
  }
  // If two resources have the same id, the first counts.
  const byId = new Map([...resources].reverse().map((resource) => [resource.id, resource]));
  return { resources: byId, sharedAnchors: findShared(resources), homes };
}

/** The target of a dynamic ref depends on how it is reached, unless only one resource qualifies. */
function isAmbiguous(keyword: RefKeyword, fragment: string, index: SchemaIndex): boolean {
  if (keyword === "$recursiveRef") return index.resources.size > 1;
  return keyword === "$dynamicRef" && index.sharedAnchors.has(fragment);
}

/** The target of a ref in `schema` within the document; nothing is ever fetched. */
export function resolveRef(
  keyword: RefKeyword,
  ref: string,
  schema: JsonObject,
  index: SchemaIndex,
): JsonValue | undefined {
  const home = index.homes.get(schema);
  const at = ref.indexOf("#");
  const uri = at < 0 ? ref : ref.slice(0, at);
  const fragment = at < 0 ? "" : ref.slice(at + 1);
  if (home === undefined || isAmbiguous(keyword, fragment, index)) return undefined;
  const resource = uri === "" ? home : index.resources.get(resolveUri(uri, home.id));
  return resource && atFragment(fragment, resource.root, resource.anchors);
}
