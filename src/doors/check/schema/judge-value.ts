// Judges a value by a foreign JSON Schema. It runs in a worker, because a pattern or a recursive schema may take any
// amount of time; this file has only the limits that need no clock.

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import * as formats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/** How a value violates a schema, in words. `problem`: the schema itself cannot be used. */
export interface SchemaVerdict {
  readonly errors: readonly string[];
  readonly problem?: string | undefined;
  /** True if the schema could be read, but took too long with this value. */
  readonly isTooSlow?: boolean | undefined;
}

/** More errors add no information. */
const MAX_ERRORS = 20;
const MAX_WORDS = 300;
/** How many compiled schemas are kept: a check uses each schema many times. */
const MAX_COMPILED = 500;

const compiled = new Map<string, ValidateFunction | string>();

/** Draft 7 and older define `items` and `definitions` differently; every other schema is 2020-12, as in MCP. */
function isOldDraft(schema: JsonValue): boolean {
  const named = isJsonObject(schema) ? schema["$schema"] : undefined;
  return typeof named === "string" && /draft-0[4-7]/.test(named);
}

// Unknown keywords and formats are ignored, as the specification requires. Nothing is ever fetched.
const options = { strict: false, allErrors: true, logger: false } as const;
/** One Ajv for each draft: creating one costs more than compiling a hundred schemas. */
const readers: { old?: Ajv; current?: Ajv } = {};

function readerFor(schema: JsonValue): Ajv {
  const draft = isOldDraft(schema) ? "old" : "current";
  const known = readers[draft];
  if (known !== undefined) return known;
  const made = draft === "old" ? new Ajv(options) : new Ajv2020(options);
  formats.default.default(made);
  readers[draft] = made;
  return made;
}

function compile(schema: JsonValue): ValidateFunction | string {
  const ajv = readerFor(schema);
  try {
    const usable = isJsonObject(schema) && isOldDraft(schema) ? withoutDraft(schema) : schema;
    return ajv.compile(usable as object | boolean);
  } catch (error) {
    return describeProblem(error);
  } finally {
    // Schemas must not refer to each other, even if two have the same name.
    ajv.removeSchema();
  }
}

/** Drafts 4 and 6 are read as draft 7: Ajv has no other, and the differences rarely matter. */
function withoutDraft(schema: Readonly<Record<string, JsonValue>>): JsonValue {
  const { $schema: _draft, ...rest } = schema;
  return rest;
}

function describeProblem(error: unknown): string {
  const { missingRef, message } = error as { readonly missingRef?: string; readonly message?: string };
  if (missingRef !== undefined)
    return `it refers to ${cut(missingRef)}, which is not part of it; other documents are never fetched`;
  if (error instanceof RangeError) return "it is nested too deeply";
  return cut(message ?? "it cannot be read");
}

function cut(words: string): string {
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
}

function inWords({ instancePath, message = "does not match", params, keyword }: ErrorObject): string {
  const place = instancePath === "" ? "the value" : instancePath;
  const { additionalProperty, allowedValues } = params as {
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly unknown[];
  };
  const named = additionalProperty === undefined ? "" : `: ${JSON.stringify(additionalProperty)}`;
  const allowed = keyword === "enum" ? `: ${JSON.stringify(allowedValues)}` : "";
  return cut(`${place} ${message}${named}${allowed}`);
}

/** Both are JSON text: the parsed values are not shared with other code. */
export function judgeTexts(schemaText: string, valueText: string): SchemaVerdict {
  let validate = compiled.get(schemaText);
  if (validate === undefined) {
    validate = compile(JSON.parse(schemaText) as JsonValue);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(schemaText, validate);
  }
  if (typeof validate === "string") return { errors: [], problem: validate };
  try {
    if (validate(JSON.parse(valueText))) return { errors: [] };
    return { errors: (validate.errors ?? []).slice(0, MAX_ERRORS).map(inWords) };
  } catch (error) {
    return { errors: [], problem: describeProblem(error) };
  }
}
