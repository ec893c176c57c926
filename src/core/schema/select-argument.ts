// Adds to a tool's input the optional argument in which a model asks for a part of the result, and removes it before
// the tool sees the call. A schema that could refuse the argument is left unchanged, and so is a tool that has its own
// argument of that name, such as a Waybill server further on.

import { SELECT_ARGUMENT } from "../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

/** The name says what the argument does, so the description only names the language: 16 tokens in all. */
const selectProperty: JsonObject = { type: "string", description: "JMESPath" };
/** If the schema has no list of properties yet, adding one costs as much as the description would. */
const bareProperty: JsonObject = { type: "string" };

/** Keywords whose schemas may refuse the argument without naming it. */
const refersElsewhere = ["$ref", "$dynamicRef", "$recursiveRef", "not", "dependentSchemas"];
const countsKeys = ["maxProperties", "propertyNames", "patternProperties"];
const closesKeys = ["additionalProperties", "unevaluatedProperties"];
const listsBranches = ["allOf", "anyOf", "oneOf"];
const namesBranches = ["if", "then", "else"];
const MAX_DEPTH = 8;

function names({ properties, required }: JsonObject): boolean {
  if (isJsonObject(properties) && Object.hasOwn(properties, SELECT_ARGUMENT)) return true;
  return Array.isArray(required) && required.includes(SELECT_ARGUMENT);
}

function branchesOf(schema: JsonObject): readonly (JsonValue | undefined)[] {
  const listed = listsBranches.flatMap((key) => {
    const list: unknown = schema[key];
    return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
  });
  return [...listed, ...namesBranches.map((key) => schema[key])];
}

function has(schema: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => schema[key] !== undefined);
}

/** Whether a schema beside the root does not affect the argument, which could not be added to its properties. */
function isIndifferent(branch: JsonValue | undefined, depth: number): boolean {
  if (branch === undefined || branch === true) return true;
  if (!isJsonObject(branch) || depth > MAX_DEPTH || names(branch)) return false;
  const isOpen = closesKeys.every((key) => branch[key] === undefined || branch[key] === true);
  if (!isOpen || has(branch, refersElsewhere) || has(branch, countsKeys)) return false;
  return branchesOf(branch).every((inner) => isIndifferent(inner, depth + 1));
}

/**
 * Whether the argument can be added to the properties of a tool's input. A closed root can name it, a composed one
 * often cannot.
 */
export function canTakeSelect(inputSchema: JsonObject): boolean {
  const { type, properties } = inputSchema;
  if (type !== "object" || (properties !== undefined && !isJsonObject(properties))) return false;
  if (names(inputSchema) || has(inputSchema, refersElsewhere) || has(inputSchema, countsKeys)) return false;
  return branchesOf(inputSchema).every((branch) => isIndifferent(branch, 1));
}

/** The tool's input schema with the optional argument; ask `canTakeSelect` first. */
export function withSelect(inputSchema: JsonObject): JsonObject {
  const { properties } = inputSchema;
  if (!isJsonObject(properties)) return { ...inputSchema, properties: { [SELECT_ARGUMENT]: bareProperty } };
  return { ...inputSchema, properties: { ...properties, [SELECT_ARGUMENT]: selectProperty } };
}

/** Removes the argument from a call. `asked` is its value, undefined if it is missing, null or "". */
export function stripSelect<Args>(args: Args): {
  readonly args: Args | JsonObject;
  readonly asked: JsonValue | undefined;
  /** The argument was present. */
  readonly isTaken: boolean;
} {
  if (!isJsonObject(args) || !Object.hasOwn(args, SELECT_ARGUMENT))
    return { args, asked: undefined, isTaken: false };
  const rest = mapObject(args, (argument, key) => (key === SELECT_ARGUMENT ? undefined : argument));
  const said = args[SELECT_ARGUMENT] ?? null;
  const isSilent = said === null || (typeof said === "string" && said.trim() === "");
  return { args: rest, asked: isSilent ? undefined : said, isTaken: true };
}
