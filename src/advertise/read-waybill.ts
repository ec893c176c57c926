import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";

/** What a call's `_waybill` said. */
export interface WaybillArgument {
  readonly fields?: readonly string[];
  readonly budgetTokens?: number;
  readonly cursor?: string;
  /** Keys that could not be understood; `_waybill` itself when nothing could. */
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

/** Takes what can be understood; a null says nothing. */
export function readWaybill(value: JsonValue): WaybillArgument {
  const said = value === null ? {} : objectOf(value);
  if (said === undefined) return { ignored: ["_waybill"] };
  const fields = fieldsOf(said["fields"] ?? null);
  const budgetTokens = tokensOf(said["budget_tokens"] ?? null);
  const cursor = cursorOf(said["cursor"] ?? null);
  const understood = new Map<string, unknown>([
    ["fields", fields],
    ["budget_tokens", budgetTokens],
    ["cursor", cursor],
  ]);
  const isIgnored = (key: string): boolean => said[key] !== null && understood.get(key) === undefined;
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(cursor === undefined ? {} : { cursor }),
    ignored: Object.keys(said).filter(isIgnored),
  };
}
