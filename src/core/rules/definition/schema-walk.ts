import { schemaExcess } from "../../schema/definitions.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";

/** A schema inside a schema. */
export interface PlacedSchema {
  /** JSON Pointer into the definition. */
  readonly path: string;
  readonly schema: JsonObject;
  /** True if every value must satisfy it: reached only by properties and items, not by a branch. */
  readonly isSure: boolean;
}

const schemaKeywords = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
const listKeywords = ["allOf", "anyOf", "items", "oneOf", "prefixItems"] as const;
const mapKeywords = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
] as const;

const sureKeywords = new Set<string>(["properties", "items", "prefixItems", "allOf"]);

interface Child {
  readonly path: string;
  readonly schema: JsonValue;
  readonly keyword: string;
}

/** The direct subschemas of a schema, booleans too. */
export function childrenOf(schema: JsonObject, path: string): readonly Child[] {
  const children: Child[] = [];
  const add = (value: JsonValue | undefined, place: string, keyword: string): void => {
    if (isJsonObject(value) || typeof value === "boolean")
      children.push({ path: place, schema: value, keyword });
  };
  for (const keyword of schemaKeywords) add(schema[keyword], appendPointer(path, keyword), keyword);
  for (const keyword of listKeywords) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [index, value] of (list as readonly JsonValue[]).entries())
      add(value, appendPointer(appendPointer(path, keyword), index), keyword);
  }
  for (const keyword of mapKeywords) {
    const map = schema[keyword];
    if (!isJsonObject(map)) continue;
    for (const [key, value] of Object.entries(map))
      add(value, appendPointer(appendPointer(path, keyword), key), keyword);
  }
  return children;
}

/** A schema and all schemas in it. Linear: the schema is within the bounds of `schemasOf`. */
function walk(root: JsonObject, path: string): readonly PlacedSchema[] {
  const all: PlacedSchema[] = [];
  const pending: PlacedSchema[] = [{ path, schema: root, isSure: true }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    all.push(next);
    const { isSure } = next;
    for (const { path: place, schema, keyword } of [...childrenOf(next.schema, next.path)].reverse()) {
      if (isJsonObject(schema))
        pending.push({ path: place, schema, isSure: isSure && sureKeywords.has(keyword) });
    }
  }
  return all;
}

type SchemaName = "inputSchema" | "outputSchema";
export const schemaNames = ["inputSchema", "outputSchema"] as const;

/** A schema of a definition that is an object and can be read. */
export interface ReadableSchema {
  readonly name: SchemaName;
  readonly path: string;
  readonly root: JsonObject;
  readonly all: readonly PlacedSchema[];
}

const read = new WeakMap<JsonObject, readonly ReadableSchema[]>();

/** The schemas of a definition, without those that are too large or too deep: `definition/schema-size` reports them. */
export function schemasOf(definition: JsonObject): readonly ReadableSchema[] {
  const known = read.get(definition) ?? readSchemas(definition);
  read.set(definition, known);
  return known;
}

function readSchemas(definition: JsonObject): readonly ReadableSchema[] {
  return schemaNames.flatMap((name) => {
    const root = definition[name];
    if (!isJsonObject(root) || schemaExcess(root) !== undefined) return [];
    const path = `/${name}`;
    return [{ name, path, root, all: walk(root, path) }];
  });
}
