import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import {
  type JsonType,
  choicesOf,
  inPlace,
  jsonTypeOf,
  jsonTypes,
  memberSchema,
  namedTypes,
  propertiesOf,
  schemasIn,
} from "./json-schema.ts";
import {
  type Defs,
  type Hoisted,
  type OnNote,
  createNamer,
  defOf,
  defRef,
  hoistDefs,
  isAnnotation,
  schemaExcess,
} from "./open-schema.ts";

export interface Branch {
  readonly schema: JsonObject;
  readonly types: Types;
}

/** What is known of a tool's data, ready to be put into an envelope. */
export interface Payload {
  /** Open(T): accepts what the tool returns, whole or with list items left out. */
  readonly schema: JsonObject;
  readonly defs: Defs;
  readonly types: Types;
  /** The schema, or its union's members if each is either always or never an object. */
  readonly branches: readonly Branch[];
  /** True if the schema may refuse a further key. */
  readonly restrictsKeys: boolean;
}

type Types = ReadonlySet<JsonType>;

const every: Types = new Set(jsonTypes);
const unknown: Payload = {
  schema: {},
  defs: {},
  types: every,
  branches: [{ schema: {}, types: every }],
  restrictsKeys: false,
};

/** True if the schema says only the type, so that any object fits. */
export function acceptsEveryObject({ schema, types }: Payload): boolean {
  return types.has("object") && Object.keys(schema).every((key) => key === "type" || isAnnotation(key));
}

export function isAlwaysObject({ types }: Payload): boolean {
  return types.has("object") && types.size === 1;
}

/** Opened schemas with every schema that may apply to the same value. */
function openedInPlace(schemas: readonly JsonObject[], defs: Defs): readonly JsonObject[] {
  return [...inPlace(schemas, ({ $ref }) => defs[defOf($ref) ?? ""])];
}

function refusesKeys(schema: JsonObject, defs: Defs): boolean {
  return openedInPlace([schema], defs).some(
    ({ additionalProperties, patternProperties }) =>
      additionalProperties !== undefined || patternProperties !== undefined,
  );
}

/** The schema's annotations, for envelopes that do not show it whole. */
export function annotationsOf(payload: Payload): JsonObject {
  const { schema, branches } = payload;
  const isWhole = branches.some((branch) => branch.schema === schema) && !acceptsEveryObject(payload);
  return mapObject(schema, (value, key) => (isAnnotation(key) && !isWhole ? value : undefined));
}

/** Whether some of the branch's values go under `result`: neither objects nor null. */
export function isWrapped({ types }: Branch): boolean {
  return [...types].some((type) => type !== "object" && type !== "null");
}

/** Whether some of the branch's values stay whole and some go under `result`. */
function isMixed(branch: Branch): boolean {
  return branch.types.has("object") && isWrapped(branch);
}

function splitUnion(schema: JsonObject, types: Types, defs: Defs): readonly Branch[] {
  const { anyOf, ...rest } = schema;
  const whole = [{ schema, types }];
  if (!Array.isArray(anyOf) || !Object.keys(rest).every(isAnnotation)) return whole;
  const members = anyOf.filter(isJsonObject);
  const branches = members.map((member) => ({ schema: member, types: possibleTypes(member, defs) }));
  return branches.some(isMixed) ? whole : branches;
}

interface ReadOptions {
  readonly tables: boolean;
  readonly onNote: OnNote;
}

export function readPayload(toolSchema: JsonObject | undefined, { tables, onNote }: ReadOptions): Payload {
  if (toolSchema === undefined) return unknown;
  const excess = schemaExcess(toolSchema);
  const hoisted = excess === undefined ? hoistDefs(toolSchema, onNote) : undefined;
  if (hoisted === undefined) {
    onNote(`The tool's schema is ${excess ?? "too deep when its refs are followed"} and was opened.`);
    return unknown;
  }
  const { schema, defs } = tables ? withTables(hoisted) : hoisted;
  const types = possibleTypes(schema, defs);
  // A schema that nothing satisfies is of no help.
  if (types.size === 0) return unknown;
  const branches = splitUnion(schema, types, defs);
  return { schema, defs, types, branches, restrictsKeys: refusesKeys(schema, defs) };
}

/** The same payload with its schema as one definition, for envelopes that contain it more than once. */
export function shareSchema(payload: Payload): Payload {
  const { types, defs } = payload;
  const name = createNamer(Object.keys(defs))("data");
  const schema = { $ref: defRef(name) };
  return { ...payload, schema, branches: [{ schema, types }], defs: { ...defs, [name]: payload.schema } };
}

// Allows lists of objects in a tool's data to be tables too. Works on an opened schema, whose refs all lead to one flat
// map of definitions: in the tool's own schema a ref may be a path, which a rewrite would break.

/**
 * A table in as few words as possible, because every list gets it: a schema may cost 150 tokens. The table itself says
 * what its columns mean.
 */
const table: JsonObject = { type: "object", required: ["$table"] };

const sameValue: readonly string[] = ["allOf", "anyOf", "dependentSchemas"];
const innerValue: readonly string[] = [
  "items",
  "prefixItems",
  "properties",
  "patternProperties",
  "additionalProperties",
];
const schemaMaps: readonly string[] = ["properties", "patternProperties", "dependentSchemas"];
/** What a schema without a type may require of an object, and a table does not meet. */
const objectKeywords = [
  "required",
  "patternProperties",
  "additionalProperties",
  "dependentRequired",
] as const;

class TableRewrite {
  readonly #defs: Defs;

  constructor(defs: Defs) {
    this.#defs = defs;
  }

  /** `mayBeList` is false if an outer schema already says that this value is not a list. */
  rewrite(schema: JsonObject, mayBeList = true): JsonObject {
    const isList = mayBeList && possibleTypes(schema, this.#defs).has("array");
    const inner = mapObject(schema, (value, key) => {
      if (sameValue.includes(key)) return this.#parts(key, value, isList);
      return innerValue.includes(key) ? this.#parts(key, value, true) : value;
    });
    return isList && this.#refusesTables(schema) ? { anyOf: [inner, table] } : inner;
  }

  #parts(key: string, value: JsonValue, mayBeList: boolean): JsonValue {
    const part = (child: JsonValue): JsonValue =>
      isJsonObject(child) ? this.rewrite(child, mayBeList) : child;
    if (Array.isArray(value)) return value.map(part);
    return isJsonObject(value) && schemaMaps.includes(key) ? mapObject(value, part) : part(value);
  }

  /** Judges this schema alone: its parts are rewritten separately. */
  #refusesTables(schema: JsonObject): boolean {
    const { type, items, prefixItems } = schema;
    const shapes = [items, ...(Array.isArray(prefixItems) ? prefixItems : [])];
    const holdsObjects = shapes.some(
      (shape) => !isJsonObject(shape) || possibleTypes(shape, this.#defs).has("object"),
    );
    const allowsObjects =
      type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
    return holdsObjects && (!allowsObjects || objectKeywords.some((key) => schema[key] !== undefined));
  }
}

/** The schema of data whose lists of objects may be tables. */
function withTables({ schema, defs }: Hoisted): Hoisted {
  const rewriting = new TableRewrite(defs);
  const all = Object.entries(defs).map(([name, def]) => [name, rewriting.rewrite(def)] as const);
  return { schema: rewriting.rewrite(schema), defs: Object.fromEntries(all) };
}

// Beyond this many steps for the same value the answer is "any", which is always true.
const MAX_STEPS = 200;

function both(left: Types, right: Types): Types {
  return new Set([...left].filter((type) => right.has(type)));
}

function named(schema: JsonObject): Types {
  const names = namedTypes(schema);
  return names === undefined
    ? every
    : new Set(names.map((name) => (name === "integer" ? "number" : (name as JsonType))));
}

function listed(schema: JsonObject): Types {
  const values = choicesOf(schema);
  return values === undefined ? every : new Set(values.map(jsonTypeOf));
}

/** Every JSON type that an opened schema allows; never too few. */
function possibleTypes(schema: JsonObject, defs: Defs): Types {
  const known = new Map<string, Types>();
  const ofDef = (name: string, steps: number): Types => {
    const found = known.get(name);
    const def = Object.hasOwn(defs, name) ? defs[name] : undefined;
    if (found !== undefined || def === undefined) return found ?? every;
    known.set(name, every);
    const types = visit(def, steps + 1);
    known.set(name, types);
    return types;
  };
  const visit = (node: JsonObject, steps: number): Types => {
    if (steps > MAX_STEPS) return every;
    const name = defOf(node["$ref"]);
    const branches = schemasIn(node["anyOf"]).flatMap((branch) => [...visit(branch, steps + 1)]);
    const parts = [
      named(node),
      listed(node),
      ...(name === undefined ? [] : [ofDef(name, steps)]),
      ...(node["anyOf"] === undefined ? [] : [new Set(branches)]),
      ...schemasIn(node["allOf"]).map((part) => visit(part, steps + 1)),
    ];
    return parts.reduce(both, every);
  };
  return visit(schema, 0);
}

/** What may be cut at a place of a tool's data, so that the rest still conforms to the advertised schema. */
export interface SchemaElasticity {
  readonly canDropItems: boolean;
  readonly canCutText: boolean;
  at(key: string | number): SchemaElasticity;
}

/** The beginning of a text need not satisfy what these ask of the whole text. */
const textKeywords = ["enum", "const", "pattern", "format", "minLength"] as const;
/** In a tuple, an item's place has a meaning. */
const listKeywords = ["enum", "const", "prefixItems"] as const;

const free: SchemaElasticity = { canDropItems: true, canCutText: true, at: () => free };
/** For data with an unknown schema: only the stub certainly conforms. */
export const rigid: SchemaElasticity = { canDropItems: false, canCutText: false, at: () => rigid };

/** The schemas of a member; the patterns of an opened schema can be compiled. */
function memberSchemas(schema: JsonObject, key: string | number): readonly JsonObject[] {
  const { patternProperties } = schema;
  const own = memberSchema(schema, key);
  const matching =
    typeof key === "string" && isJsonObject(patternProperties)
      ? Object.entries(patternProperties).flatMap(([pattern, inner]) =>
          new RegExp(pattern, "u").test(key) ? [inner] : [],
        )
      : [];
  // `additionalProperties` is for keys that no pattern matches.
  const isNamed = typeof key === "number" || Object.hasOwn(propertiesOf(schema).properties, key);
  return [...(isNamed || matching.length === 0 ? [own] : []), ...matching].filter(isJsonObject);
}

function elasticityOf(schemas: readonly JsonObject[], defs: Defs): SchemaElasticity {
  const all = openedInPlace(schemas, defs);
  if (all.every((schema) => Object.keys(schema).length === 0)) return free;
  const has = (keywords: readonly string[]): boolean =>
    all.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined));
  const known = new Map<string | number, SchemaElasticity>();
  return {
    canDropItems: !has(listKeywords),
    canCutText: !has(textKeywords),
    at: (key) => {
      const isItem = typeof key === "number";
      const isTuple = all.some(({ prefixItems }) => prefixItems !== undefined);
      // Without a tuple all items have the same schema, and a list may be long.
      const name = isItem && !isTuple ? "0" : key;
      const found =
        known.get(name) ??
        elasticityOf(
          all.flatMap((schema) => memberSchemas(schema, key)),
          defs,
        );
      known.set(name, found);
      return found;
    },
  };
}

/** By the tool's own schema, opened as `tools/list` shows it; everything may be cut if the schema says nothing. */
export function readElasticity(toolSchema: JsonObject | undefined): SchemaElasticity {
  if (toolSchema === undefined) return free;
  const { schema, defs } = readPayload(toolSchema, { tables: false, onNote: () => undefined });
  return elasticityOf([schema], defs);
}
