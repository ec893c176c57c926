import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { describeValue } from "../../protocol/message-values.ts";
import type { DefinitionProblem } from "./definition-rule.ts";
import { type PlacedSchema, schemasOf } from "./schema-walk.ts";

const typeNames: readonly unknown[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** What a keyword's value must be, in words, and whether it is. */
interface Kind {
  readonly what: string;
  readonly fits: (value: JsonValue) => boolean;
}

const isSchema = (value: JsonValue): boolean => isJsonObject(value) || typeof value === "boolean";
const isText = (value: JsonValue): boolean => typeof value === "string";

const text: Kind = { what: "a text", fits: isText };
const number: Kind = { what: "a number", fits: (value) => typeof value === "number" };
const flag: Kind = { what: "true or false", fits: (value) => typeof value === "boolean" };
const count: Kind = {
  what: "a whole number of at least 0",
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const factor: Kind = {
  what: "a number over 0",
  fits: (value) => typeof value === "number" && value > 0,
};
const schema: Kind = { what: "a schema", fits: isSchema };
const schemaMap: Kind = {
  what: "an object of schemas",
  fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
};
const schemaList: Kind = {
  what: "a list of at least one schema",
  fits: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
};
const names: Kind = {
  what: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every(isText),
};
const types: Kind = {
  what: "a type of JSON Schema, or a list of them",
  fits: (value) => {
    const named: readonly unknown[] = Array.isArray(value) ? value : [value];
    return named.length > 0 && named.every((name) => typeNames.includes(name));
  },
};
// Draft 7 writes a tuple as a list of items, and the schemas of most servers do not name their draft.
const items: Kind = {
  what: "a schema",
  fits: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
};
const choices: Kind = {
  what: "a list of at least one value",
  fits: (value) => Array.isArray(value) && value.length > 0,
};

const keywordsOf: readonly (readonly [Kind, readonly string[]])[] = [
  [text, ["$ref", "description", "format", "pattern", "title"]],
  [schemaMap, ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]],
  [schema, ["additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"]],
  [schemaList, ["allOf", "anyOf", "oneOf", "prefixItems"]],
  [choices, ["enum"]],
  [number, ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]],
  [items, ["items"]],
  [count, ["maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"]],
  [factor, ["multipleOf"]],
  [names, ["required"]],
  [types, ["type"]],
  [flag, ["uniqueItems"]],
];
const kinds = new Map(keywordsOf.flatMap(([kind, keywords]) => keywords.map((keyword) => [keyword, kind])));

function judgeSchema({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  return Object.entries(subject).flatMap(([key, value]) => {
    const kind = kinds.get(key);
    if (kind === undefined || kind.fits(value)) return [];
    const message = `\`${key}\` is ${describeValue(value)}, not ${kind.what}`;
    return [{ path: appendPointer(path, key), message }];
  });
}

/** Keywords whose value is not what JSON Schema asks for. */
export function judgeKeywords(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ path, all }) =>
    all.flatMap((place) => {
      const isRoot = place.path === path;
      // The root's own type has separate rules.
      return judgeSchema(place).filter((problem) => !(isRoot && problem.path === `${path}/type`));
    }),
  );
}

const bounds = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

function judgeBounds({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  return bounds.flatMap(([low, high]) => {
    const least = subject[low];
    const most = subject[high];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) return [];
    return [{ path: appendPointer(path, low), message: `\`${low}\` ${least} is over \`${high}\` ${most}` }];
  });
}

function judgeRequired({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  const { required, properties, additionalProperties, patternProperties } = subject;
  if (!Array.isArray(required)) return [];
  const known = isJsonObject(properties) ? properties : {};
  return (required as readonly JsonValue[]).flatMap((name) => {
    if (typeof name !== "string") return [];
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    const isShut = value === undefined && additionalProperties === false && patternProperties === undefined;
    if (value !== false && !isShut) return [];
    return [{ path: `${path}/required`, message: `\`${name}\` is required and not allowed` }];
  });
}

/** Schemas that no value can satisfy, so that a tool can never be called or never answer. */
export function judgeImpossible(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ all }) =>
    all.filter(({ isSure }) => isSure).flatMap((place) => [...judgeBounds(place), ...judgeRequired(place)]),
  );
}

/** Fields that are required but not described anywhere. */
export function judgeUnknownRequired(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ name: schemaName, path, root }) => {
    const { required, properties, additionalProperties } = root;
    if (schemaName !== "inputSchema" || !Array.isArray(required)) return [];
    // If nothing else is allowed, `definition/schema-impossible` reports it; other keywords may describe the field.
    const elsewhere = ["$ref", "allOf", "anyOf", "oneOf", "patternProperties", "if", "dependentSchemas"];
    if (additionalProperties === false || elsewhere.some((key) => root[key] !== undefined)) return [];
    const known = isJsonObject(properties) ? properties : {};
    return (required as readonly JsonValue[])
      .filter((name): name is string => typeof name === "string" && !Object.hasOwn(known, name))
      .map((name) => ({ path: `${path}/required`, message: `\`${name}\` is required but not described` }));
  });
}
