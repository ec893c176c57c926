import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import { getByPointer } from "../../../../core/json/pointer.ts";

/** A longer chain of references is a circle. */
const MAX_STEPS = 16;
/** The deepest nesting of `allOf` inside `allOf`. */
const MAX_DEPTH = 8;

/** The target of a local reference; undefined for a reference to another document, which is never fetched. */
function targetOf(root: JsonValue, reference: string): JsonValue | undefined {
  if (!reference.startsWith("#")) return undefined;
  try {
    return getByPointer(root, decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

function follow(root: JsonValue, schema: JsonValue | undefined): JsonObject {
  let at = schema;
  for (let step = 0; step < MAX_STEPS && isJsonObject(at); step += 1) {
    const { $ref: reference, ...beside } = at;
    if (typeof reference !== "string") return at;
    const target = targetOf(root, reference);
    if (!isJsonObject(target)) return beside;
    at = { ...target, ...beside };
  }
  return {};
}

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const { properties, required } = one;
  const names = [required, other["required"]].flatMap((each) => (Array.isArray(each) ? each : []));
  return {
    ...one,
    ...other,
    ...(isJsonObject(properties) && isJsonObject(other["properties"])
      ? { properties: { ...properties, ...other["properties"] } }
      : {}),
    ...(names.length > 0 ? { required: [...new Set(names)] } : {}),
  };
}

/** A schema without references and `allOf` at its root. Deeper parts are resolved when they are reached. */
export function resolveSchema(root: JsonValue, schema: JsonValue | undefined, depth = 0): JsonObject {
  const found = follow(root, schema);
  const { allOf, ...rest } = found;
  if (!Array.isArray(allOf) || depth > MAX_DEPTH) return found;
  return (allOf as readonly JsonValue[]).reduce<JsonObject>(
    (whole, part) => joined(whole, resolveSchema(root, part, depth + 1)),
    rest,
  );
}

const typeWords: Readonly<Record<string, string>> = {
  properties: "object",
  required: "object",
  items: "array",
  minItems: "array",
  pattern: "string",
  minLength: "string",
  maxLength: "string",
  minimum: "number",
  maximum: "number",
};

/** The types a value may have; if none is named, the types that the other keywords apply to. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === "string");
  const named = Object.keys(typeWords).find((word) => Object.hasOwn(schema, word));
  return named === undefined ? [] : [typeWords[named] ?? "string"];
}

/** The properties of an object's schema, and which of them are required. */
export function propertiesOf(schema: JsonObject): {
  readonly properties: JsonObject;
  readonly required: ReadonlySet<string>;
} {
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return { properties: isJsonObject(properties) ? properties : {}, required: new Set(names) };
}

export function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
