// Arguments that differ from good ones in one place: at an edge of what the schema allows, or just beyond it.

import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../../core/json/json-value.ts";
import { appendPointer } from "../../../../core/json/pointer.ts";
import type { Random } from "./sample-value.ts";
import { numberAt, propertiesOf } from "../../../../core/schema/json-schema.ts";
import { resolveSchema, typesOf } from "./resolve-schema.ts";

/** One changed place. `keyword`: the keyword of the schema that is tested. */
export interface Variant {
  readonly arguments: JsonObject;
  readonly path: string;
  readonly why: string;
  readonly keyword: string;
}

export interface Change {
  /** Undefined: the property is omitted. */
  readonly value: JsonValue | undefined;
  readonly why: string;
  readonly keyword: string;
}

/** Longer texts and lists reveal nothing more about a server. */
const MAX_LENGTH = 10_000;
const MAX_ITEMS = 100;
const MAX_DEPTH = 3;
const UNKNOWN_NAME = "waybill_check_unknown";
const UNUSUAL_TEXT = "Zoë 日本 🚢 \"quoted\" \\ 'single' <b>";

function edgesOfText(schema: JsonObject): readonly Change[] {
  const least = numberAt(schema, "minLength") ?? 0;
  const most = numberAt(schema, "maxLength");
  const isFree = schema["format"] === undefined && schema["pattern"] === undefined;
  if (!isFree) return [];
  return [
    {
      value: "a".repeat(Math.min(least, MAX_LENGTH)),
      why: least === 0 ? "an empty text" : "the shortest text",
      keyword: "minLength",
    },
    ...(most !== undefined && most <= MAX_LENGTH
      ? [{ value: "a".repeat(most), why: "the longest text", keyword: "maxLength" }]
      : [{ value: UNUSUAL_TEXT, why: "letters and signs of many kinds", keyword: "type" }]),
  ];
}

function edgesOfNumber(schema: JsonObject): readonly Change[] {
  const least = numberAt(schema, "minimum");
  const most = numberAt(schema, "maximum");
  return [
    least === undefined
      ? { value: 0, why: "zero", keyword: "type" }
      : { value: least, why: "the smallest number", keyword: "minimum" },
    ...(most === undefined ? [] : [{ value: most, why: "the largest number", keyword: "maximum" }]),
    ...(least === undefined ? [{ value: -1, why: "a number below zero", keyword: "type" }] : []),
  ];
}

/** Values at the edges of what a property allows. */
function edgesOf(schema: JsonObject): readonly Change[] {
  const types = typesOf(schema);
  const { enum: allowed } = schema;
  const changes: Change[] = [];
  if (Array.isArray(allowed)) {
    const last = (allowed as readonly JsonValue[]).at(-1);
    return last === undefined ? [] : [{ value: last, why: "the last of its values", keyword: "enum" }];
  }
  if (types.includes("null")) changes.push({ value: null, why: "null", keyword: "type" });
  if (types.includes("string")) changes.push(...edgesOfText(schema));
  if (types.includes("integer") || types.includes("number")) changes.push(...edgesOfNumber(schema));
  if (types.includes("boolean")) changes.push({ value: true, why: "true", keyword: "type" });
  if (types.includes("array") && (numberAt(schema, "minItems") ?? 0) === 0)
    changes.push({ value: [], why: "an empty list", keyword: "minItems" });
  return changes;
}

/** No value here can be converted to the right type without loss: many servers accept 42 as a text. */
const wrongTypes: Readonly<Record<string, JsonValue>> = {
  string: { not: "a text" },
  integer: "not a number",
  number: "not a number",
  boolean: "not a boolean",
  object: "not an object",
};

/** A value that is not a list, and not an item either: a single item is often accepted as a list. */
function noList(schema: JsonObject): JsonValue {
  const items = isJsonObject(schema["items"]) ? typesOf(schema["items"]) : [];
  return items.includes("string") ? { not: "a list" } : "not a list";
}

function beyondLimits(schema: JsonObject, good: JsonValue | undefined): readonly Change[] {
  const changes: Change[] = [];
  const add = (keyword: string, why: string, value: JsonValue): void =>
    void changes.push({ value, why, keyword });
  const [minimum, maximum] = [numberAt(schema, "minimum"), numberAt(schema, "maximum")];
  const [shortest, longest] = [numberAt(schema, "minLength") ?? 0, numberAt(schema, "maxLength")];
  const [fewest, most] = [numberAt(schema, "minItems") ?? 0, numberAt(schema, "maxItems")];
  if (minimum !== undefined) add("minimum", `a number below ${minimum}`, minimum - 1);
  if (maximum !== undefined) add("maximum", `a number above ${maximum}`, maximum + 1);
  if (shortest > 0) add("minLength", `a text shorter than ${shortest}`, "");
  if (longest !== undefined && longest < MAX_LENGTH)
    add("maxLength", `a text longer than ${longest}`, "a".repeat(longest + 1));
  if (typeof schema["pattern"] === "string")
    add("pattern", "a text that the pattern does not match", "\u0001 %%");
  if (typeof schema["format"] === "string")
    add("format", `a text that is no ${schema["format"]}`, "not of this format");
  if (fewest > 0) add("minItems", `fewer than ${fewest} items`, []);
  const [item] = Array.isArray(good) ? (good as readonly JsonValue[]) : [];
  if (most !== undefined && most < MAX_ITEMS && item !== undefined)
    add(
      "maxItems",
      `more than ${most} items`,
      Array.from({ length: most + 1 }, () => item),
    );
  return changes;
}

/** Values that a property should not allow. The judge decides: a value that it allows after all is not used. */
function faultsOf(schema: JsonObject, isRequired: boolean, good: JsonValue | undefined): readonly Change[] {
  const types = typesOf(schema);
  const { enum: allowed } = schema;
  const [type = "string"] = types;
  // A server that fills in the default for a missing value says so in its schema.
  const isFilledIn = Object.hasOwn(schema, "default");
  return [
    ...(isRequired && !isFilledIn
      ? [{ value: undefined, why: "it is required and missing", keyword: "required" }]
      : []),
    ...(types.length > 0
      ? [
          {
            value: type === "array" ? noList(schema) : (wrongTypes[type] ?? 42),
            why: `it is no ${type}`,
            keyword: "type",
          },
        ]
      : []),
    ...(Array.isArray(allowed)
      ? [{ value: "waybill-check-none-of-these", why: "it is not an allowed value", keyword: "enum" }]
      : beyondLimits(schema, good)),
    ...(types.length > 0 && !isFilledIn ? [{ value: null, why: "it is null", keyword: "type" }] : []),
  ];
}

/** The values a property may change to; `good` is its current value, if it has one. */
export type ChangesOf = (
  schema: JsonObject,
  isRequired: boolean,
  good: JsonValue | undefined,
) => readonly Change[];

/** A copy with one property set or removed. */
function withProperty(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const { [name]: _old, ...rest } = object;
  const copy: Record<string, JsonValue> = rest;
  if (value !== undefined) setOwn(copy, name, value);
  return copy;
}

class Varying {
  readonly #root: JsonValue;
  readonly #changesOf: ChangesOf;
  readonly found: Variant[] = [];

  constructor(root: JsonValue, changesOf: ChangesOf) {
    this.#root = root;
    this.#changesOf = changesOf;
  }

  walk(schema: JsonObject, good: JsonObject, path: string, place: (inner: JsonObject) => JsonObject): void {
    const { properties, required } = propertiesOf(schema);
    const depth = path.split("/").length;
    for (const [name, given] of Object.entries(properties)) {
      const inner = resolveSchema(this.#root, given);
      const at = appendPointer(path, name);
      const value = Object.hasOwn(good, name) ? good[name] : undefined;
      for (const { value: changed, why, keyword } of this.#changesOf(inner, required.has(name), value))
        this.found.push({ arguments: place(withProperty(good, name, changed)), path: at, why, keyword });
      if (isJsonObject(value) && depth < MAX_DEPTH)
        this.walk(inner, value, at, (deeper) => place(withProperty(good, name, deeper)));
    }
  }
}

/** Good arguments with one property changed, in every way that `changesOf` names. */
export function varyArguments(schema: JsonValue, good: JsonObject, changesOf: ChangesOf): readonly Variant[] {
  const varying = new Varying(schema, changesOf);
  varying.walk(resolveSchema(schema, schema), good, "", (inner) => inner);
  return varying.found;
}

/** Good arguments with one property at an edge. */
export function edgeArguments(schema: JsonValue, good: JsonObject): readonly Variant[] {
  return varyArguments(schema, good, edgesOf);
}

/** Good arguments with one fault. */
export function faultyArguments(schema: JsonValue, good: JsonObject): readonly Variant[] {
  const found = varyArguments(schema, good, faultsOf);
  if (resolveSchema(schema, schema)["additionalProperties"] !== false) return found;
  const extra = {
    arguments: withProperty(good, UNKNOWN_NAME, true),
    path: appendPointer("", UNKNOWN_NAME),
    why: "there is no such argument",
    keyword: "additionalProperties",
  };
  return [...found, extra];
}

/** In an order that the seed decides, with one of each kind before a second of any. */
export function spread(variants: readonly Variant[], random: Random): readonly Variant[] {
  const seen = new Map<string, number>();
  return shuffled(variants, random)
    .map((variant, at) => {
      const round = seen.get(variant.keyword) ?? 0;
      seen.set(variant.keyword, round + 1);
      return { variant, round, at };
    })
    .sort((a, b) => a.round - b.round || a.at - b.at)
    .map(({ variant }) => variant);
}

export function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
