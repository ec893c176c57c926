import type { Outcome } from "./outcome.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../json/json-value.ts";
import { sayName } from "../text/say-name.ts";

const MAX_PARTS = 8;

function describe(name: string, value: JsonValue): string {
  const key = sayName(name);
  if (Array.isArray(value)) return `${key} (${value.length} item${value.length === 1 ? "" : "s"})`;
  if (isJsonObject(value)) return `${key} (object)`;
  const text = JSON.stringify(value);
  return text.length > 60 ? `${key} (${text.length} characters)` : `${key} ${text}`;
}

/** One line for a reader who gets the structure on the other channel. */
export function briefText(outcome: Outcome): string {
  if (!outcome.ok) {
    const { message, code, remediation } = outcome.fault;
    return `${code}: ${message}${remediation ? ` ${remediation}` : ""}`;
  }
  const parts = isJsonObject(outcome.data)
    ? Object.entries(outcome.data).map(([key, value]) => describe(key, value))
    : [describe("result", outcome.data)];
  const shown = parts.slice(0, MAX_PARTS).join(", ");
  const more = parts.length > MAX_PARTS ? ` and ${parts.length - MAX_PARTS} more` : "";
  const page = outcome.notes.pagination?.has_more === true ? "; more pages follow" : "";
  return `OK: ${shown || "no data"}${more}${page}`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Describes a received value by its type and length only. */
export function describeReceived(value: JsonValue): string {
  if (typeof value === "string") return `a string of ${plural(value.length, "character")}`;
  if (Array.isArray(value)) return `a list of ${plural(value.length, "item")}`;
  if (isJsonObject(value)) return `an object with ${plural(Object.keys(value).length, "field")}`;
  return `a ${typeof value}`;
}

const described =
  /^a (?:string of \d+ characters?|list of \d+ items?|number|boolean)$|^an object with \d+ fields?$/;

/** Details without received values, for a dialect that may not repeat them. */
export function withoutReceived(details: JsonObject): JsonObject {
  const { received, errors } = details;
  const isTold =
    received === undefined || received === null || (typeof received === "string" && described.test(received));
  return {
    ...details,
    ...(isTold ? {} : { received: describeReceived(received) }),
    ...(Array.isArray(errors)
      ? { errors: errors.map((each) => (isJsonObject(each) ? withoutReceived(each) : each)) }
      : {}),
  };
}
