// Seed 002 forbids source code in errors. Text that reads like code is left out of an error and replaced by a note.

import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../json/json-value.ts";
import { findCode, leftOut, withoutCode } from "../../../text/source-code.ts";

/** Names of fields that hold code, however short. */
const codeNames =
  /^(?:(?:code|source)[_-]?)?(?:snippet|excerpt|fragment)s?$|^(?:source[_-]?(?:code|text|lines?)|code[_-]?(?:lines?|block|frame|context|text))$/i;

/** A path, a word or a place in a file is not code, even under such a name. */
function isCodeByName(name: string, value: string): boolean {
  return codeNames.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2")) && /[\s(){};=]/.test(value.trim());
}

function cleanValue(value: JsonValue, name: string): JsonValue {
  if (typeof value === "string") return isCodeByName(name, value) ? leftOut(value) : withoutCode(value);
  if (Array.isArray(value)) return cleanList(value, name);
  return isJsonObject(value) ? cleanDetails(value) : value;
}

/** A list of lines is treated as one text. */
function cleanList(items: readonly JsonValue[], name: string): JsonValue {
  const lines = items.filter((item) => typeof item === "string");
  const text = lines.join("\n");
  const isLines = lines.length > 1 && lines.length === items.length;
  if (isLines && (isCodeByName(name, text) || findCode(text).length > 0)) return [leftOut(text)];
  return items.map((item) => cleanValue(item, name));
}

/** Details of a fault without code, in values and in keys. */
export function cleanDetails(details: JsonObject): JsonObject {
  const clean: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(details))
    setOwn(clean, withoutCode(name), cleanValue(value, name));
  return clean;
}
