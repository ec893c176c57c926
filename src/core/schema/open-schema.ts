// Opens a tool's schema: what it says of the tool's data, without what a later cut or an added key would break, and with
// everything that refs name under one flat `$defs`, so that the result can be put anywhere in a larger schema.
// Promises that every instance of the schema, whole or with list items left out, is accepted, that the SDK clients can
// compile it, that every ref resolves, and that no ref returns to itself without going deeper into the data. Never
// writes a boolean schema, `$id` or `$schema`, and never grows beyond the size of its input.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import {
  type RefKeyword,
  type SchemaIndex,
  inPlace,
  indexSchema,
  isPattern,
  refKeywords,
  resolveRef,
  typeNames,
} from "./json-schema.ts";

export type Defs = Readonly<Record<string, JsonObject>>;

export interface Hoisted {
  readonly schema: JsonObject;
  readonly defs: Defs;
}

interface Survey {
  /** The targets of refs, with their names. */
  readonly names: ReadonlyMap<JsonObject, string>;
  readonly deepest: number;
}

/** Walks what will be advertised, through refs too, in the order in which a client compiles it. */
function survey(root: JsonObject, index: SchemaIndex, onNote: OnNote): Survey {
  const names = new Map<JsonObject, string>();
  const nameOf = createNamer();
  const seen = new Set<JsonObject>();
  let deepest = 0;
  const visit = (schema: JsonValue, depth: number): JsonObject => {
    deepest = Math.max(deepest, depth);
    if (!isJsonObject(schema) || seen.has(schema) || depth > MAX_LEVELS_THROUGH_REFS) return {};
    seen.add(schema);
    return openSchema(
      schema,
      (child) => visit(child, depth + 1),
      (keyword, ref) => {
        const target = resolveRef(keyword, ref, schema, index);
        if (!isJsonObject(target)) {
          if (typeof target !== "boolean")
            onNote(`The ref ${JSON.stringify(ref.slice(0, 100))} leads nowhere and was opened.`);
          return undefined;
        }
        if (!names.has(target)) names.set(target, nameOf(ref));
        visit(target, depth + 1);
        return undefined;
      },
    );
  };
  visit(root, 1);
  return { names, deepest };
}

/** Undefined if refs lead deeper than a client can follow. */
export function hoistDefs(root: JsonObject, onNote: OnNote): Hoisted | undefined {
  const index = indexSchema(root);
  const { names, deepest } = survey(root, index, onNote);
  if (deepest > MAX_LEVELS_THROUGH_REFS) return undefined;
  const write = (schema: JsonObject): JsonObject =>
    openSchema(schema, place, (keyword, ref) => {
      const target = resolveRef(keyword, ref, schema, index);
      const name = isJsonObject(target) ? names.get(target) : undefined;
      return name === undefined ? undefined : defRef(name);
    });
  const place = (schema: JsonValue): JsonObject => {
    if (!isJsonObject(schema)) return {};
    const name = names.get(schema);
    return name === undefined ? write(schema) : { $ref: defRef(name) };
  };
  const defs = Object.fromEntries([...names].map(([schema, name]) => [name, write(schema)]));
  return { schema: place(root), defs: breakLoops(defs, onNote) };
}

function refsInPlace(schema: JsonObject | undefined): string[] {
  if (schema === undefined) return [];
  return [...inPlace([schema])].flatMap(({ $ref }) => defOf($ref) ?? []);
}

/** The definitions that lead back to themselves for the same value: a validator would never return. */
function findLoops(defs: Readonly<Record<string, JsonObject>>): Set<string> {
  const loops = new Set<string>();
  const states = new Map<string, "entered" | "left">();
  const pending = Object.keys(defs).reverse();
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    if (states.has(name)) {
      states.set(name, "left");
      pending.pop();
      continue;
    }
    states.set(name, "entered");
    for (const next of refsInPlace(defs[name])) {
      if (states.get(next) === "entered") loops.add(next);
      else if (!states.has(next)) pending.push(next);
    }
  }
  return loops;
}

/** The same definitions, with endless ones replaced by open schemas. */
function breakLoops(
  defs: Readonly<Record<string, JsonObject>>,
  onNote: OnNote,
): Readonly<Record<string, JsonObject>> {
  const loops = findLoops(defs);
  for (const name of loops) onNote(`The definition "${name}" refers to itself in place and was opened.`);
  return Object.fromEntries(Object.entries(defs).map(([name, def]) => [name, loops.has(name) ? {} : def]));
}

/** The advertised address of a ref's target, or undefined if the ref cannot be resolved. */
type Refer = (keyword: RefKeyword, ref: string) => string | undefined;

/** Draft 7 writes a tuple as a list of items; 2020-12 as prefixItems. */
function tupleOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const tuple = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : schema["items"];
  return Array.isArray(tuple) && tuple.length > 0 ? tuple : undefined;
}

/** If a pattern had to be removed, its keys would fall under additionalProperties. */
function hasLostPattern(schema: JsonObject): boolean {
  const patterns = schema["patternProperties"];
  return isJsonObject(patterns) && !Object.keys(patterns).every(isPattern);
}

/** The schema in keywords that mean the same to every client. */
function restate(schema: JsonObject): JsonObject {
  const tuple = tupleOf(schema);
  const { items: _items, prefixItems: _tuple, ...rest } = schema;
  // 1.x clients ignore prefixItems and check every item against `items`, so items after a tuple are not described.
  const listed = tuple === undefined ? schema : { ...rest, prefixItems: tuple };
  const { additionalProperties: _additional, ...open } = listed;
  const { type, nullable } = schema;
  const isNullable = nullable === true && (typeof type === "string" || Array.isArray(type));
  return {
    ...(hasLostPattern(schema) ? open : listed),
    ...(isNullable ? { type: [...(Array.isArray(type) ? type : [type]), "null"] } : {}),
  };
}

/** One matching branch is enough: opened branches overlap, so "exactly one" would be too strict. */
function withChoices(opened: JsonObject, oneOf: JsonValue | undefined, open: OpenChild): JsonObject {
  const choices = oneOf === undefined ? undefined : branches(oneOf, open);
  if (choices === undefined) return opened;
  if (opened["anyOf"] === undefined) return { ...opened, anyOf: choices };
  const all = Array.isArray(opened["allOf"]) ? opened["allOf"] : [];
  return { ...opened, allOf: [...all, { anyOf: choices }] };
}

function addressOf(schema: JsonObject, refer: Refer): JsonObject {
  for (const keyword of refKeywords) {
    const ref = schema[keyword];
    const address = typeof ref === "string" ? refer(keyword, ref) : undefined;
    if (address !== undefined) return { $ref: address };
  }
  return {};
}

function openSchema(schema: JsonObject, open: OpenChild, refer: Refer): JsonObject {
  const kept = mapObject(restate(schema), (value, key) => keywordNamed(key)?.(value, open));
  return { ...addressOf(schema, refer), ...withChoices(kept, schema["oneOf"], open) };
}

/** Opens one subschema. */
type OpenChild = (schema: JsonValue) => JsonObject;

/** A keyword's advertised value; undefined if it says nothing, or would break a client. */
type Keyword = (value: JsonValue, open: OpenChild) => JsonValue | undefined;

const anyValue: Keyword = (value) => value;
const text: Keyword = (value) => (typeof value === "string" ? value : undefined);
const flag: Keyword = (value) => (typeof value === "boolean" ? value : undefined);
const number: Keyword = (value) => (Number.isFinite(value) ? value : undefined);
const count: Keyword = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);
const factor: Keyword = (value) => (Number.isFinite(value) && Number(value) > 0 ? value : undefined);

const types: Keyword = (value) => {
  const named = [...new Set(Array.isArray(value) ? value : [value])];
  const isKnown = named.length > 0 && named.every((name) => typeNames.includes(name));
  return isKnown ? (Array.isArray(value) ? named : value) : undefined;
};

const names: Keyword = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string")
    ? [...new Set(value)]
    : undefined;

/** A cut reaches into lists and objects, so only values with nothing inside certainly stay the same. */
function isAtomic(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

const constant: Keyword = (value) => (isAtomic(value) ? value : undefined);
const choices: Keyword = (value) => {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isAtomic)) return undefined;
  return [...new Map(value.map((choice) => [JSON.stringify(choice), choice])).values()];
};

const schema: Keyword = (value, open) => {
  if (!isJsonObject(value)) return undefined;
  const opened = open(value);
  return Object.keys(opened).length > 0 ? opened : undefined;
};
const schemas: Keyword = (value, open) =>
  Array.isArray(value) && value.length > 0 ? value.map(open) : undefined;
const schemaMap: Keyword = (value, open) => (isJsonObject(value) ? mapObject(value, open) : undefined);
const patternMap: Keyword = (value, open) =>
  isJsonObject(value)
    ? mapObject(value, (child, key) => (isPattern(key) ? open(child) : undefined))
    : undefined;

/** `false` can never be the intended branch. */
const branches: Keyword = (value, open) =>
  schemas(Array.isArray(value) ? value.filter((branch) => branch !== false) : value, open);

/** Keywords that describe without asserting. */
const annotations: Readonly<Record<string, Keyword>> = {
  title: text,
  description: text,
  default: anyValue,
  examples: (value) => (Array.isArray(value) ? value : undefined),
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
};

export function isAnnotation(key: string): boolean {
  return Object.hasOwn(annotations, key) || key.startsWith("x-");
}

// Not in this table, so never advertised: keywords that a cut breaks (minItems, contains, uniqueItems), that close
// objects (propertyNames, maxProperties, unevaluated*), that are inverted once their parts are opened (not, if), and
// that stop Ajv ($id, id, $async, nullable without a type).
const assertions: Readonly<Record<string, Keyword>> = {
  type: types,
  enum: choices,
  const: constant,
  multipleOf: factor,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  pattern: (value) => (isPattern(value) ? value : undefined),
  format: text,
  contentEncoding: text,
  contentMediaType: text,
  maxItems: count,
  required: names,
  dependentRequired: (value) =>
    isJsonObject(value) ? mapObject(value, (list) => names(list, () => ({}))) : undefined,
  items: schema,
  prefixItems: schemas,
  properties: schemaMap,
  patternProperties: patternMap,
  additionalProperties: schema,
  dependentSchemas: schemaMap,
  allOf: schemas,
  anyOf: branches,
};

const keywords: Readonly<Record<string, Keyword>> = { ...annotations, ...assertions };

// Ajv looks for ids and anchors in objects below unknown keywords, and stops if it finds one twice.
const extension: Keyword = (value) => (isJsonObject(value) ? undefined : value);

function keywordNamed(key: string): Keyword | undefined {
  if (key.startsWith("x-")) return extension;
  return Object.hasOwn(keywords, key) ? keywords[key] : undefined;
}

const PREFIX = "#/$defs/";

function baseOf(ref: string): string {
  const last = ref.split(/[/#]/).pop() ?? "";
  const plain = last.replaceAll(/[^\w.-]+/g, "_").slice(0, 64);
  if (plain === "") return "self";
  // `__proto__` and similar keys must not be set on an object.
  return plain in {} ? `${plain}_def` : plain;
}

/**
 * Gives each definition a unique name under `$defs`, after its ref's last word. The names need no escaping in a pointer
 * or an address.
 */
export function createNamer(names: Iterable<string> = []): (ref: string) => string {
  const taken = new Set(names);
  const copies = new Map<string, number>();
  return (ref) => {
    const base = baseOf(ref);
    let copy = (copies.get(base) ?? 0) + 1;
    while (taken.has(copy === 1 ? base : `${base}_${copy}`)) copy += 1;
    const name = copy === 1 ? base : `${base}_${copy}`;
    copies.set(base, copy);
    taken.add(name);
    return name;
  };
}

export function defRef(name: string): string {
  return PREFIX + name;
}

/** The name in a ref that `defRef` made. */
export function defOf(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined;
}

/** Called with one sentence for each part of a tool's schema that could not be advertised. */
export type OnNote = (note: string) => void;

/** A schema level is at most two JSON levels: the keyword's value, and the schema in it. */
const MAX_JSON_DEPTH = 200;
const MAX_SIZE = 1024 * 1024;

/**
 * Ajv compiles one level a few dozen calls deep and overflows between 300 and 400 levels, refs included; in an SDK
 * client that fails the whole list.
 */
const MAX_LEVELS_THROUGH_REFS = 200;

/** Why a schema is not read at all; undefined if it is within bounds. Linear, and stops at the first bound. */
export function schemaExcess(schema: JsonValue): string | undefined {
  const pending: { value: JsonValue; depth: number }[] = [{ value: schema, depth: 1 }];
  let size = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    size += typeof value === "string" ? value.length + 2 : 2;
    if (size > MAX_SIZE) return "larger than 1 MiB";
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_JSON_DEPTH) return "deeper than 100 levels";
    for (const [key, child] of Object.entries(value)) {
      size += Array.isArray(value) ? 1 : key.length + 4;
      pending.push({ value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
