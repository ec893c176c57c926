import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json/json-value.ts";
import type { Draft, Field } from "./field.ts";

function draftOf(field: Field, value: JsonValue | undefined): Draft {
  if (value === undefined) return undefined;
  switch (field.kind) {
    case "text":
      if (value === "") return { isEmptyText: true };
      return typeof value === "string" ? value : JSON.stringify(value);
    case "number":
      return typeof value === "string" ? value : JSON.stringify(value);
    case "choice": {
      const written = JSON.stringify(value);
      const index = field.choices.findIndex((choice) => JSON.stringify(choice) === written);
      return index === -1 ? undefined : String(index);
    }
    case "json":
      return JSON.stringify(value, null, 2);
    case "list":
      return Array.isArray(value) ? value.map((item: JsonValue) => draftOf(field.item, item)) : undefined;
    case "group":
    default:
      return isJsonObject(value) ? toDraft(field.fields, value) : undefined;
  }
}

/** What a form shows for given arguments: the way back from `toArguments`. Names that the form has no field for get lost. */
export function toDraft(fields: readonly Field[], values: JsonObject): Draft {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      draftOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined),
    ]),
  );
}

/** The names of arguments that the form has no field for. */
export function namesWithoutField(fields: readonly Field[], values: JsonObject): string[] {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(values).filter((name) => !names.has(name));
}
