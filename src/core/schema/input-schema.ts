// Adds to a tool's input the optional arguments of Waybill, and removes them before the tool sees the call: `_waybill`, in
// which a model, which cannot set `_meta`, says how much of a result it wants, and the question of which part. Never makes
// them required, never replaces a tool's own argument of that name.

import { ContractError } from "../contract/contract-error.ts";
import { SELECT_ARGUMENT } from "../contract/wire-names.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  jsonObjectIn,
  mapObject,
} from "../json/json-value.ts";
import { branchesOf, propertiesOf, refKeywords } from "./json-schema.ts";

/** The content of a call's `_waybill`. */
interface WaybillArgument {
  readonly fields?: readonly string[] | undefined;
  readonly budgetTokens?: number | undefined;
  readonly cursor?: string | undefined;
  readonly select?: string | undefined;
  /** Keys that could not be understood; `_waybill` itself if none could. */
  readonly ignored: readonly string[];
}

/** Models sometimes write a nested object as its JSON text. */
function objectOf(value: JsonValue): JsonObject | undefined {
  if (typeof value === "string") return jsonObjectIn(value);
  return isJsonObject(value) ? value : undefined;
}

function fieldsOf(value: JsonValue): readonly string[] | undefined {
  const listed = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(listed)) return undefined;
  const fields = listed.flatMap((field) => (typeof field === "string" ? field.trim() : []));
  const named = fields.filter((field) => field !== "");
  return named.length > 0 ? named : undefined;
}

function tokensOf(value: JsonValue): number | undefined {
  const isFigure = typeof value === "number" || (typeof value === "string" && /^\s*\d+\s*$/.test(value));
  const tokens = isFigure ? Math.floor(Number(value)) : 0;
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

function cursorOf(value: JsonValue): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Takes what can be understood; null and an empty question count as missing. */
function readWaybill(value: JsonValue, takesSelect: boolean): WaybillArgument {
  const said = value === null ? {} : objectOf(value);
  if (said === undefined) return { ignored: ["_waybill"] };
  const fields = fieldsOf(said["fields"] ?? null);
  const budgetTokens = tokensOf(said["budget_tokens"] ?? null);
  const cursor = cursorOf(said["cursor"] ?? null);
  const question = said["select"];
  const select = takesSelect && typeof question === "string" ? question : undefined;
  const understood = new Map<string, unknown>([
    ["fields", fields],
    ["budget_tokens", budgetTokens],
    ["cursor", cursor],
    ["select", select],
  ]);
  const isIgnored = (key: string): boolean => said[key] !== null && understood.get(key) === undefined;
  return {
    fields,
    budgetTokens,
    cursor,
    select: select?.trim() === "" ? undefined : select,
    ignored: Object.keys(said).filter(isIgnored),
  };
}

const WAYBILL = "_waybill";

const waybillProperty: JsonObject = {
  type: "object",
  description: "Optional: keep only these fields, fit this many tokens, continue at this cursor.",
  properties: {
    fields: { type: "array", items: { type: "string" } },
    budget_tokens: { type: "integer" },
    cursor: { type: "string" },
  },
};

/** The name says what the argument does, so the description only names the language: 16 tokens in all, 18 if the
 * schema has no list of properties yet. */
const selectProperty: JsonObject = { type: "string", description: "JMESPath" };

const askingProperty: JsonObject = {
  ...waybillProperty,
  properties: { ...(waybillProperty["properties"] as JsonObject), select: selectProperty },
};

function names(schema: JsonObject, argument: string): boolean {
  const { properties, required } = propertiesOf(schema);
  return Object.hasOwn(properties, argument) || required.has(argument);
}

/** Whether a tool takes its own `_waybill`, at the root or in a branch, as a Waybill server behind a gateway does. */
export function hasWaybillArgument(inputSchema: JsonObject): boolean {
  return [inputSchema, ...branchesOf(inputSchema)].some((schema) => names(schema, WAYBILL));
}

/**
 * The tool's input schema with the optional `_waybill`; the same schema if that is not wanted, or if it takes no
 * object. Throws a `ContractError` if the tool has an argument of that name; ask `hasWaybillArgument` first.
 */
export function advertiseInput(
  inputSchema: JsonObject,
  { waybillArgument, select = false }: { readonly waybillArgument: boolean; readonly select?: boolean },
): JsonObject {
  if (!waybillArgument || inputSchema["type"] !== "object") return inputSchema;
  if (hasWaybillArgument(inputSchema)) {
    throw new ContractError(
      "INVALID_OPTION",
      `The tool already takes ${WAYBILL}: rename its argument, or turn waybillArgument off for this tool.`,
    );
  }
  const { properties } = propertiesOf(inputSchema);
  return {
    ...inputSchema,
    properties: { ...properties, [WAYBILL]: select ? askingProperty : waybillProperty },
  };
}

/** Removes `_waybill` from a call's arguments; arguments without it stay the same value. */
export function stripWaybill<Args>(
  args: Args,
  takesSelect = false,
): {
  readonly args: Args | JsonObject;
  readonly waybill: WaybillArgument | undefined;
} {
  if (!isJsonObject(args) || !Object.hasOwn(args, WAYBILL)) return { args, waybill: undefined };
  const rest = mapObject(args, (argument, key) => (key === WAYBILL ? undefined : argument));
  return { args: rest, waybill: readWaybill(args[WAYBILL] ?? null, takesSelect) };
}

// The optional argument in which a model asks for a part of the result. A schema that could refuse the argument is left
// unchanged, and so is a tool that has its own argument of that name, such as a Waybill server further on.

/** Keywords whose schemas may refuse the argument without naming it. */
const refersElsewhere = [...refKeywords, "not", "dependentSchemas"];
const countsKeys = ["maxProperties", "propertyNames", "patternProperties"];
const closesKeys = ["additionalProperties", "unevaluatedProperties"];
const MAX_DEPTH = 8;

function conditionsOf(schema: JsonObject): readonly (JsonValue | undefined)[] {
  const listed = [schema["allOf"], schema["anyOf"], schema["oneOf"]].flatMap((list): readonly JsonValue[] =>
    Array.isArray(list) ? list : [],
  );
  return [...listed, schema["if"], schema["then"], schema["else"]];
}

function has(schema: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => schema[key] !== undefined);
}

/** Whether a schema beside the root does not affect the argument, which could not be added to its properties. */
function isIndifferent(branch: JsonValue | undefined, depth: number): boolean {
  if (branch === undefined || branch === true) return true;
  if (!isJsonObject(branch) || depth > MAX_DEPTH || names(branch, SELECT_ARGUMENT)) return false;
  const isOpen = closesKeys.every((key) => branch[key] === undefined || branch[key] === true);
  if (!isOpen || has(branch, refersElsewhere) || has(branch, countsKeys)) return false;
  return conditionsOf(branch).every((inner) => isIndifferent(inner, depth + 1));
}

/**
 * Whether the argument can be added to the properties of a tool's input. A closed root can name it, a composed one
 * often cannot.
 */
export function canTakeSelect(inputSchema: JsonObject): boolean {
  const { type, properties } = inputSchema;
  if (type !== "object" || (properties !== undefined && !isJsonObject(properties))) return false;
  if (
    names(inputSchema, SELECT_ARGUMENT) ||
    has(inputSchema, refersElsewhere) ||
    has(inputSchema, countsKeys)
  )
    return false;
  return conditionsOf(inputSchema).every((branch) => isIndifferent(branch, 1));
}

/** The tool's input schema with the optional argument; ask `canTakeSelect` first. */
export function withSelect(inputSchema: JsonObject): JsonObject {
  const { properties } = propertiesOf(inputSchema);
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
