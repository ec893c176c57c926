import { completeCodeAndType } from "../../contract/error-data.ts";
import { errorRegistry, isScreamingSnake } from "../../contract/error-registry.ts";
import type { Fault } from "../../contract/outcome.ts";
import { withoutReceived } from "../../contract/brief-text.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../json/json-value.ts";
import { withoutCode, findCode, leftOut } from "../../text/source-code.ts";

/** Keys of `meta` that belong to a failure's fault; an author's own keys of these names are not carried. */
export const faultMetaKeys = ["error_code", "error_type"] as const;

export interface ScalpelError {
  readonly error: string;
  readonly error_code: string;
  readonly error_details?: JsonObject | null;
}

/** The lower-case code, and whether that code alone leads back to ours. */
function toScalpel(code: string): { code: string; exact: boolean } {
  const entry = errorRegistry.get(code);
  if (entry !== undefined) return { code: entry.scalpel, exact: entry.scalpelTwin && entry.code === code };
  const lower = code.toLowerCase();
  return { code: lower, exact: isScreamingSnake(code) && errorRegistry.fromScalpel(lower) === undefined };
}

/**
 * A fault as scalpel writes it. If several of our codes share one of scalpel's, `error_details.code` has ours; if the
 * author's details use that key, or the type does not follow from the code, `meta` carries it.
 */
export function writeScalpelError(fault: Fault): { error: ScalpelError; meta: JsonObject } {
  const { code, exact } = toScalpel(fault.code);
  const isTaken = fault.details !== undefined && Object.hasOwn(fault.details, "code");
  // What a caller sent may be source code, which seed 002 forbids in errors of every profile.
  const own = fault.details && cleanDetails(withoutReceived(fault.details));
  const details = exact || isTaken ? own : { code: fault.code, ...own };
  const meta: Record<string, JsonValue> = {};
  if (isTaken) meta["error_code"] = fault.code;
  if (completeCodeAndType(fault.code).type !== fault.type) meta["error_type"] = fault.type;
  return {
    error: {
      error: withoutCode(fault.message),
      error_code: code,
      ...(details ? { error_details: details } : {}),
    },
    meta,
  };
}

function fromScalpel(code: string): string {
  return errorRegistry.fromScalpel(code)?.code ?? (/^[a-z]/.test(code) ? code.toUpperCase() : code);
}

/** Our code in `error_details.code` counts only if it maps to the scalpel code beside it. */
function finerCode(details: JsonObject, scalpel: string): string | undefined {
  const code = details["code"];
  return typeof code === "string" && toScalpel(code).code === scalpel ? code : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function readScalpelError(error: JsonObject & ScalpelError, meta: JsonObject): Fault {
  const scalpel = error.error_code;
  const details = error.error_details ?? {};
  const fromMeta = textOf(meta["error_code"]);
  const finer = fromMeta === undefined ? finerCode(details, scalpel) : undefined;
  const code = fromMeta ?? finer ?? fromScalpel(scalpel);
  const { code: _, ...withoutCode } = details;
  const own = finer === undefined ? details : withoutCode;
  const type = textOf(meta["error_type"]) ?? completeCodeAndType(code).type;
  return {
    message: error.error,
    code,
    type,
    ...(Object.keys(own).length > 0 ? { details: own } : {}),
  };
}

// Seed 002 forbids source code in errors. Text that reads like code is left out of an error and replaced by a note.

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
