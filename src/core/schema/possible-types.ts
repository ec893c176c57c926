import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { defOf } from "./definitions.ts";
import type { Defs } from "./hoist-defs.ts";
import { type JsonType, jsonTypes } from "./schema-keywords.ts";

type Types = ReadonlySet<JsonType>;

const every: Types = new Set(jsonTypes);
// Beyond this many steps in place the answer is "any", which is always true.
const MAX_STEPS = 200;

function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

function both(left: Types, right: Types): Types {
  return new Set([...left].filter((type) => right.has(type)));
}

function named(type: JsonValue | undefined): Types {
  if (type === undefined) return every;
  const names = Array.isArray(type) ? type : [type];
  return new Set(names.map((name) => (name === "integer" ? "number" : (name as JsonType))));
}

function listed(schema: JsonObject): Types {
  const values = Object.hasOwn(schema, "const") ? [schema["const"] ?? null] : schema["enum"];
  return Array.isArray(values) ? new Set(values.map(typeOf)) : every;
}

function membersOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Every JSON type that an opened schema lets a value have; never too few. */
export function possibleTypes(schema: JsonObject, defs: Defs): Types {
  const known = new Map<string, Types>();
  const ofDef = (name: string, steps: number): Types => {
    const found = known.get(name);
    const def = Object.hasOwn(defs, name) ? defs[name] : undefined;
    if (found !== undefined || def === undefined) return found ?? every;
    known.set(name, every);
    const types = visit(def, steps + 1);
    known.set(name, types);
    return types;
  };
  const visit = (node: JsonObject, steps: number): Types => {
    if (steps > MAX_STEPS) return every;
    const name = defOf(node["$ref"]);
    const branches = membersOf(node["anyOf"]).flatMap((branch) => [...visit(branch, steps + 1)]);
    const parts = [
      named(node["type"]),
      listed(node),
      ...(name === undefined ? [] : [ofDef(name, steps)]),
      ...(node["anyOf"] === undefined ? [] : [new Set(branches)]),
      ...membersOf(node["allOf"]).map((part) => visit(part, steps + 1)),
    ];
    return parts.reduce(both, every);
  };
  return visit(schema, 0);
}
