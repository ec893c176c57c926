import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json/json-value.ts";
import {
  choicesOf,
  localTarget,
  namedTypes,
  numberAt,
  propertiesOf,
} from "../../src/core/schema/json-schema.ts";
import type { Field } from "./field.ts";

/** Deeper levels, and schemas that contain themselves, are written as JSON. */
const DEPTH_LIMIT = 5;
/** More choices than these are offered as a text with rules. */
const CHOICE_LIMIT = 500;

const textIn = (schema: JsonObject, key: string): string | undefined =>
  typeof schema[key] === "string" ? schema[key] : undefined;

const listIn = (schema: JsonObject, key: string): readonly JsonValue[] | undefined =>
  Array.isArray(schema[key]) ? (schema[key] as readonly JsonValue[]) : undefined;

/** Replaces references, a lone branch and "or null" by what they mean. */
function simplify(root: JsonObject, schema: JsonObject, hops = 0): JsonObject | undefined {
  if (hops > 8) return undefined;
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  if (typeof reference === "string") {
    const target = localTarget(root, schema);
    return isJsonObject(target) ? simplify(root, { ...target, ...own }, hops + 1) : undefined;
  }
  const branches = [anyOf, oneOf, allOf].find((value) => Array.isArray(value)) as JsonValue[] | undefined;
  if (branches === undefined) return schema;
  const real = branches.filter((branch) => isJsonObject(branch) && branch["type"] !== "null") as JsonObject[];
  const [only] = real;
  if (real.length === 1 && only !== undefined) return simplify(root, { ...only, ...own }, hops + 1);
  if (allOf === undefined && real.every((branch) => "const" in branch || "enum" in branch))
    return { ...own, enum: real.flatMap((branch) => choicesOf(branch) ?? []) };
  return schema;
}

function typeOf(schema: JsonObject): string | undefined {
  const types = namedTypes(schema);
  const [only, ...others] = types?.filter((type) => types.length === 1 || type !== "null") ?? [];
  if (types === undefined && isJsonObject(schema["properties"])) return "object";
  return others.length === 0 ? only : undefined;
}

function textRules(schema: JsonObject): string[] {
  const format = textIn(schema, "format");
  const pattern = textIn(schema, "pattern");
  return [
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...rangeRule(numberAt(schema, "minLength"), numberAt(schema, "maxLength"), " characters"),
  ];
}

function rangeRule(min: number | undefined, max: number | undefined, unit: string): string[] {
  const say = (count: number): string => count.toLocaleString("en");
  if (min !== undefined && max !== undefined) return [`${say(min)} to ${say(max)}${unit}`];
  if (min !== undefined && min !== 0) return [`at least ${say(min)}${unit}`];
  return max === undefined ? [] : [`at most ${say(max)}${unit}`];
}

function numberRules(schema: JsonObject): string[] {
  const above = numberAt(schema, "exclusiveMinimum");
  const below = numberAt(schema, "exclusiveMaximum");
  const step = numberAt(schema, "multipleOf");
  // Some libraries write the largest safe integer where no limit is meant.
  const told = (limit: number | undefined): number | undefined =>
    limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit;
  return [
    ...(typeOf(schema) === "integer" ? ["whole number"] : []),
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(below === undefined ? [] : [`less than ${below}`]),
    ...rangeRule(told(numberAt(schema, "minimum")) ?? undefined, told(numberAt(schema, "maximum")), ""),
    ...(step === undefined ? [] : [`a multiple of ${step}`]),
  ];
}

interface Place {
  readonly root: JsonObject;
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

/** The field for one schema. */
function fieldOf(raw: JsonValue | undefined, place: Place): Field {
  const given = isJsonObject(raw) ? raw : {};
  const schema = simplify(place.root, given) ?? given;
  const [example] = listIn(schema, "examples") ?? [];
  const base = {
    name: place.name,
    title: textIn(schema, "title"),
    description: textIn(schema, "description"),
    isRequired: place.isRequired,
    fallback: schema["default"],
    example,
    rules: [],
  };
  const choices = choicesOf(schema);
  if (choices !== undefined && choices.length > 0 && choices.length <= CHOICE_LIMIT)
    return { ...base, kind: "choice", choices };
  const isTooDeep = place.depth >= DEPTH_LIMIT;
  switch (typeOf(schema)) {
    case "string":
      return {
        ...base,
        kind: "text",
        rules: textRules(schema),
        minLength: numberAt(schema, "minLength") ?? 0,
        maxLength: numberAt(schema, "maxLength") ?? Infinity,
        format: textIn(schema, "format"),
      };
    case "number":
    case "integer":
      return {
        ...base,
        kind: "number",
        rules: numberRules(schema),
        isInteger: typeOf(schema) === "integer",
        min: numberAt(schema, "exclusiveMinimum") ?? numberAt(schema, "minimum") ?? -Infinity,
        max: numberAt(schema, "exclusiveMaximum") ?? numberAt(schema, "maximum") ?? Infinity,
        isAboveMin: numberAt(schema, "exclusiveMinimum") !== undefined,
        isBelowMax: numberAt(schema, "exclusiveMaximum") !== undefined,
        step: numberAt(schema, "multipleOf"),
      };
    case "boolean":
      return { ...base, kind: "choice", choices: [true, false] };
    case "array":
      if (isTooDeep || !isJsonObject(schema["items"])) break;
      return {
        ...base,
        kind: "list",
        rules: [
          ...rangeRule(numberAt(schema, "minItems"), numberAt(schema, "maxItems"), " items"),
          ...(schema["uniqueItems"] === true ? ["each only once"] : []),
        ],
        item: fieldOf(schema["items"], { ...place, isRequired: true, depth: place.depth + 1 }),
        minItems: numberAt(schema, "minItems") ?? 0,
        maxItems: numberAt(schema, "maxItems") ?? Infinity,
        isUnique: schema["uniqueItems"] === true,
      };
    case "object":
      if (isTooDeep || !isJsonObject(schema["properties"])) break;
      return {
        ...base,
        kind: "group",
        fields: fieldsOf(schema, schema["properties"], place),
      };
    case undefined:
    default:
  }
  return { ...base, kind: "json", schema };
}

function fieldsOf(schema: JsonObject, properties: JsonObject, place: Place): Field[] {
  const { required } = propertiesOf(schema);
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(property, { ...place, name, isRequired: required.has(name), depth: place.depth + 1 }),
  );
  // What must be given comes first; otherwise the order of the author stays.
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** The fields for a tool's arguments. Undefined where only JSON can say them. */
export function readSchema(inputSchema: JsonObject): readonly Field[] | undefined {
  const schema = simplify(inputSchema, inputSchema) ?? inputSchema;
  if ("anyOf" in schema || "oneOf" in schema || "allOf" in schema) return undefined;
  const properties = schema["properties"];
  if (isJsonObject(properties))
    return fieldsOf(schema, properties, { root: inputSchema, name: "", isRequired: true, depth: 0 });
  const isOpen = schema["additionalProperties"] === true || isJsonObject(schema["additionalProperties"]);
  return isOpen ? undefined : [];
}
