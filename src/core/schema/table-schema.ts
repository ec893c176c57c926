// Lets lists of objects in a tool's data come as tables too. Works on an opened schema, whose refs all lead to one
// flat map of definitions: in the tool's own schema a ref may be a path, which a rewrite would break.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import type { Defs, Hoisted } from "./hoist-defs.ts";
import { possibleTypes } from "./possible-types.ts";

/**
 * A table, as short as it can be said, since it stands at every list: a schema may cost 150 tokens. What its columns mean
 * is told by the table itself.
 */
const table: JsonObject = { type: "object", required: ["$table"] };

const sameValue: readonly string[] = ["allOf", "anyOf", "dependentSchemas"];
const innerValue: readonly string[] = [
  "items",
  "prefixItems",
  "properties",
  "patternProperties",
  "additionalProperties",
];
const schemaMaps: readonly string[] = ["properties", "patternProperties", "dependentSchemas"];
/** What a schema without a type may ask of an object, and a table does not meet. */
const objectKeywords = [
  "required",
  "patternProperties",
  "additionalProperties",
  "dependentRequired",
] as const;

class TableRewrite {
  readonly #defs: Defs;

  constructor(defs: Defs) {
    this.#defs = defs;
  }

  /** `mayBeList` is false where an outer schema already says that this value is not a list. */
  rewrite(schema: JsonObject, mayBeList = true): JsonObject {
    const isList = mayBeList && possibleTypes(schema, this.#defs).has("array");
    const inner = mapObject(schema, (value, key) => {
      if (sameValue.includes(key)) return this.#parts(key, value, isList);
      return innerValue.includes(key) ? this.#parts(key, value, true) : value;
    });
    return isList && this.#refusesTables(schema) ? { anyOf: [inner, table] } : inner;
  }

  #parts(key: string, value: JsonValue, mayBeList: boolean): JsonValue {
    const part = (child: JsonValue): JsonValue =>
      isJsonObject(child) ? this.rewrite(child, mayBeList) : child;
    if (Array.isArray(value)) return value.map(part);
    return isJsonObject(value) && schemaMaps.includes(key) ? mapObject(value, part) : part(value);
  }

  /** What the parts of the schema refuse is theirs to allow. */
  #refusesTables(schema: JsonObject): boolean {
    const { type, items, prefixItems } = schema;
    const shapes = [items, ...(Array.isArray(prefixItems) ? prefixItems : [])];
    const holdsObjects = shapes.some(
      (shape) => !isJsonObject(shape) || possibleTypes(shape, this.#defs).has("object"),
    );
    const allowsObjects =
      type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
    return holdsObjects && (!allowsObjects || objectKeywords.some((key) => schema[key] !== undefined));
  }
}

/** The schema of data whose lists of objects may come as tables. */
export function withTables({ schema, defs }: Hoisted): Hoisted {
  const rewriting = new TableRewrite(defs);
  const all = Object.entries(defs).map(([name, def]) => [name, rewriting.rewrite(def)] as const);
  return { schema: rewriting.rewrite(schema), defs: Object.fromEntries(all) };
}
