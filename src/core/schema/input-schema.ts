// Adds to a tool's input the optional argument in which a model, which cannot set `_meta`, says how much of a result it
// wants, and removes it before the tool sees it. Never makes it required, never replaces a tool's own argument of that
// name.

import { ContractError } from "../contract/contract-error.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

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
  if (typeof value !== "string") return isJsonObject(value) ? value : undefined;
  try {
    const parsed = JSON.parse(value) as JsonValue;
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
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

const selectProperty: JsonObject = { type: "string", description: "JMESPath" };

const askingProperty: JsonObject = {
  ...waybillProperty,
  properties: { ...(waybillProperty["properties"] as JsonObject), select: selectProperty },
};

function takesWaybill({ properties, required }: JsonObject): boolean {
  const isProperty = isJsonObject(properties) && Object.hasOwn(properties, WAYBILL);
  return isProperty || (Array.isArray(required) && required.includes(WAYBILL));
}

/** Whether a tool takes its own `_waybill`, at the root or in a branch, as a Waybill server behind a gateway does. */
export function hasWaybillArgument(inputSchema: JsonObject): boolean {
  const { allOf, anyOf, oneOf } = inputSchema;
  const branches = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return takesWaybill(inputSchema) || branches.some((branch) => isJsonObject(branch) && takesWaybill(branch));
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
  const own = isJsonObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  return { ...inputSchema, properties: { ...own, [WAYBILL]: select ? askingProperty : waybillProperty } };
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
