// Adds to a tool's input the optional argument in which a model asks for a part of the result, and takes it off again
// before the tool sees the call. A schema that could refuse the argument is left alone, and so is a tool that has an
// argument of that name itself: a Waybill further on, for instance.

import { SELECT_ARGUMENT } from "../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

/** The name says what it does, so its description has only to name the language: 16 tokens in all. */
const selectProperty: JsonObject = { type: "string", description: "JMESPath" };
/** Where the schema has no list of properties yet, that list costs what the description would. */
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

/** Whether a schema beside the root leaves the argument alone: it could not be given a place in its properties. */
function isIndifferent(branch: JsonValue | undefined, depth: number): boolean {
  if (branch === undefined || branch === true) return true;
  if (!isJsonObject(branch) || depth > MAX_DEPTH || names(branch)) return false;
  const isOpen = closesKeys.every((key) => branch[key] === undefined || branch[key] === true);
  if (!isOpen || has(branch, refersElsewhere) || has(branch, countsKeys)) return false;
  return branchesOf(branch).every((inner) => isIndifferent(inner, depth + 1));
}

/** Whether the argument can stand among the properties of a tool's input. A closed root can name it, a composed one often cannot. */
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

/** Takes the argument off a call; `asked` is what it said, undefined where it said nothing: null and "" say nothing. */
export function stripSelect<Args>(args: Args): {
  readonly args: Args | JsonObject;
  readonly asked: JsonValue | undefined;
  /** The argument was there. */
  readonly isTaken: boolean;
} {
  if (!isJsonObject(args) || !Object.hasOwn(args, SELECT_ARGUMENT))
    return { args, asked: undefined, isTaken: false };
  const rest = mapObject(args, (argument, key) => (key === SELECT_ARGUMENT ? undefined : argument));
  const said = args[SELECT_ARGUMENT] ?? null;
  const isSilent = said === null || (typeof said === "string" && said.trim() === "");
  return { args: rest, asked: isSilent ? undefined : said, isTaken: true };
}
