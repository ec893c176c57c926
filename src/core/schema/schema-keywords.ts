import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

/** Opens one subschema. */
export type OpenChild = (schema: JsonValue) => JsonObject;

/** A keyword's advertised value; undefined if it says nothing, or would break a client. */
type Keyword = (value: JsonValue, open: OpenChild) => JsonValue | undefined;

export const jsonTypes = ["object", "array", "string", "number", "boolean", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

const typeNames: readonly JsonValue[] = [...jsonTypes, "integer"];

const anyValue: Keyword = (value) => value;
const text: Keyword = (value) => (typeof value === "string" ? value : undefined);
const flag: Keyword = (value) => (typeof value === "boolean" ? value : undefined);
const number: Keyword = (value) => (Number.isFinite(value) ? value : undefined);
const count: Keyword = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const factor: Keyword = (value) => (Number.isFinite(value) && Number(value) > 0 ? value : undefined);

const types: Keyword = (value) => {
  const named = [...new Set(Array.isArray(value) ? value : [value])];
  const isKnown = named.length > 0 && named.every((name) => typeNames.includes(name));
  return isKnown ? (Array.isArray(value) ? named : value) : undefined;
};

const names: Keyword = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string")
    ? [...new Set(value)]
    : undefined;

/** A cut reaches into lists and objects, so only values with nothing inside certainly stay the same. */
function isAtomic(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

const constant: Keyword = (value) => (isAtomic(value) ? value : undefined);
const choices: Keyword = (value) => {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isAtomic)) return undefined;
  return [...new Map(value.map((choice) => [JSON.stringify(choice), choice])).values()];
};

// Ajv 6 compiles patterns without the u flag, Ajv 8 with it; an invalid pattern fails the list of 1.25 to 1.32 clients.
export function isPattern(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  try {
    return ["", "u"].every((flags) => new RegExp(value, flags).source !== "");
  } catch {
    return false;
  }
}

const schema: Keyword = (value, open) => {
  if (!isJsonObject(value)) return undefined;
  const opened = open(value);
  return Object.keys(opened).length > 0 ? opened : undefined;
};
const schemas: Keyword = (value, open) =>
  Array.isArray(value) && value.length > 0 ? value.map(open) : undefined;
const schemaMap: Keyword = (value, open) => (isJsonObject(value) ? mapObject(value, open) : undefined);
const patternMap: Keyword = (value, open) =>
  isJsonObject(value)
    ? mapObject(value, (child, key) => (isPattern(key) ? open(child) : undefined))
    : undefined;

/** `false` can never be the intended branch. */
export const branches: Keyword = (value, open) =>
  schemas(Array.isArray(value) ? value.filter((branch) => branch !== false) : value, open);

/** Keywords that describe without asserting. */
const annotations: Readonly<Record<string, Keyword>> = {
  title: text,
  description: text,
  default: anyValue,
  examples: (value) => (Array.isArray(value) ? value : undefined),
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
};

export function isAnnotation(key: string): boolean {
  return Object.hasOwn(annotations, key) || key.startsWith("x-");
}

// Not in this table, so never advertised: keywords that a cut breaks (minItems, contains, uniqueItems), that close
// objects (propertyNames, maxProperties, unevaluated*), that are inverted once their parts are opened (not, if), and
// that stop Ajv ($id, id, $async, nullable without a type).
const assertions: Readonly<Record<string, Keyword>> = {
  type: types,
  enum: choices,
  const: constant,
  multipleOf: factor,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  pattern: (value) => (isPattern(value) ? value : undefined),
  format: text,
  contentEncoding: text,
  contentMediaType: text,
  maxItems: count,
  required: names,
  dependentRequired: (value) =>
    isJsonObject(value) ? mapObject(value, (list) => names(list, () => ({}))) : undefined,
  items: schema,
  prefixItems: schemas,
  properties: schemaMap,
  patternProperties: patternMap,
  additionalProperties: schema,
  dependentSchemas: schemaMap,
  allOf: schemas,
  anyOf: branches,
};

const keywords: Readonly<Record<string, Keyword>> = { ...annotations, ...assertions };

// Ajv looks for ids and anchors in objects below unknown keywords, and stops if it finds one twice.
const extension: Keyword = (value) => (isJsonObject(value) ? undefined : value);

export function keywordNamed(key: string): Keyword | undefined {
  if (key.startsWith("x-")) return extension;
  return Object.hasOwn(keywords, key) ? keywords[key] : undefined;
}
