import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";

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
