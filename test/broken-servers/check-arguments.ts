import { type Json, isObject } from "./raw-server.ts";

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

function isType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => isType(value, one));
  const actual = typeOf(value);
  return actual === type || (type === "number" && actual === "integer");
}

function wrongText(value: string, schema: Json): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const { length } = Array.from(value);
  if (length < Number(minLength)) return `is shorter than ${String(minLength)} characters`;
  if (length > Number(maxLength)) return `is longer than ${String(maxLength)} characters`;
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value))
    return `does not match ${pattern}`;
  return undefined;
}

function wrongNumber(value: number, { minimum, maximum }: Json): string | undefined {
  if (typeof minimum === "number" && value < minimum) return `is below ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `is above ${maximum}`;
  return undefined;
}

function wrongValue(value: unknown, schema: Json): string | undefined {
  if (schema["type"] !== undefined && !isType(value, schema["type"])) {
    return `is ${typeOf(value)}, not ${JSON.stringify(schema["type"])}`;
  }
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) {
    return `is not one of ${schema["enum"].join(", ")}`;
  }
  if (typeof value === "string") return wrongText(value, schema);
  return typeof value === "number" ? wrongNumber(value, schema) : undefined;
}

/** What is wrong with the arguments of a call, as far as the schemas of these servers go; undefined for nothing. */
export function wrongArguments(args: Json, schema: Json): string | undefined {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  const missing = required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) return `${missing} is missing`;
  for (const [name, value] of Object.entries(args)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined && schema["additionalProperties"] === false) return `${name} is not known`;
    const wrong = isObject(property) ? wrongValue(value, property) : undefined;
    if (wrong !== undefined) return `${name} ${wrong}`;
  }
  return undefined;
}
