import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import { namedTypes, propertiesOf, resolveLocal } from "../../../../core/schema/json-schema.ts";

/** The deepest nesting of `allOf` inside `allOf`. */
const MAX_DEPTH = 8;

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const [first, second] = [propertiesOf(one), propertiesOf(other)];
  const properties = { ...first.properties, ...second.properties };
  const required = [...new Set([...first.required, ...second.required])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A schema without references and `allOf` at its root. Deeper parts are resolved when they are reached. */
export function resolveSchema(root: JsonValue, schema: JsonValue | undefined, depth = 0): JsonObject {
  const found = resolveLocal(root, schema);
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
  const told = namedTypes(schema);
  if (told !== undefined) return told;
  const named = Object.keys(typeWords).find((word) => Object.hasOwn(schema, word));
  return named === undefined ? [] : [typeWords[named] ?? "string"];
}
