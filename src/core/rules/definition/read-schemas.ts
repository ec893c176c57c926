// The schemas of a tool's definition, each read once, and what is wrong inside them: keywords with other values than JSON
// Schema gives them, schemas that no value satisfies, refs that lead nowhere or back to themselves.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { describeMessageValue } from "../../protocol/message-values.ts";
import {
  type KeywordKind,
  childrenOf,
  indexSchema,
  isSchema,
  keywordKinds,
  propertiesOf,
  resolveRef,
  typeNames,
} from "../../schema/json-schema.ts";
import { schemaExcess } from "../../schema/open-schema.ts";
import { derivedOnce } from "../server-record.ts";
import type { DefinitionProblem } from "./definition-rule.ts";

/** A schema inside a schema. */
export interface PlacedSchema {
  /** JSON Pointer into the definition. */
  readonly path: string;
  readonly schema: JsonObject;
  /** True if every value must satisfy it: reached only by properties and items, not by a branch. */
  readonly isSure: boolean;
}

const sureKeywords = new Set<string>(["properties", "items", "prefixItems", "allOf"]);

/** A schema and all schemas in it. Linear: the schema is within the bounds of `schemasOf`. */
function walk(root: JsonObject, path: string): readonly PlacedSchema[] {
  const all: PlacedSchema[] = [];
  const pending: PlacedSchema[] = [{ path, schema: root, isSure: true }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    all.push(next);
    const { isSure } = next;
    for (const { path: place, schema, keyword } of [...childrenOf(next.schema, next.path)].reverse()) {
      if (isJsonObject(schema))
        pending.push({ path: place, schema, isSure: isSure && sureKeywords.has(keyword) });
    }
  }
  return all;
}

type SchemaName = "inputSchema" | "outputSchema";
export const schemaNames = ["inputSchema", "outputSchema"] as const;

/** A schema of a definition that is an object and can be read. */
export class ReadableSchema {
  readonly name: SchemaName;
  readonly path: string;
  readonly root: JsonObject;
  readonly all: readonly PlacedSchema[];
  #refs: readonly PlacedRef[] | undefined;

  constructor(name: SchemaName, root: JsonObject) {
    this.name = name;
    this.path = `/${name}`;
    this.root = root;
    this.all = walk(root, this.path);
  }

  /** Every `$ref`; read once, because four rules ask for them. */
  get refs(): readonly PlacedRef[] {
    this.#refs ??= readRefs(this);
    return this.#refs;
  }
}

/** The schemas of a definition, without those that are too large or too deep: `definition/schema-size` reports them. */
export const schemasOf = derivedOnce((definition: JsonObject): readonly ReadableSchema[] =>
  schemaNames.flatMap((name) => {
    const root = definition[name];
    return isJsonObject(root) && schemaExcess(root) === undefined ? [new ReadableSchema(name, root)] : [];
  }),
);

/** What the value of a keyword must be, in words, and whether it is. */
interface KeywordForm {
  readonly what: string;
  readonly fits: (value: JsonValue) => boolean;
}

const isText = (value: JsonValue): boolean => typeof value === "string";
const isListOf = (value: JsonValue, fits: (each: JsonValue) => boolean): boolean =>
  Array.isArray(value) && (value as readonly JsonValue[]).every(fits);

const keywordForms: Readonly<Record<KeywordKind, KeywordForm | undefined>> = {
  text: { what: "a text", fits: isText },
  number: { what: "a number", fits: (value) => typeof value === "number" },
  flag: { what: "true or false", fits: (value) => typeof value === "boolean" },
  count: {
    what: "a whole number of at least 0",
    fits: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
  factor: { what: "a number over 0", fits: (value) => typeof value === "number" && value > 0 },
  schema: { what: "a schema", fits: isSchema },
  "schema-map": {
    what: "an object of schemas",
    fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  },
  schemas: {
    what: "a list of at least one schema",
    fits: (value) => isListOf(value, isSchema) && Object.keys(value as JsonObject).length > 0,
  },
  names: { what: "a list of texts", fits: (value) => isListOf(value, isText) },
  types: {
    what: "a type of JSON Schema, or a list of them",
    fits: (value) => {
      const named = Array.isArray(value) ? value : [value];
      return named.length > 0 && named.every((name) => typeNames.includes(name));
    },
  },
  items: { what: "a schema", fits: (value) => isSchema(value) || isListOf(value, isSchema) },
  choices: {
    what: "a list of at least one value",
    fits: (value) => Array.isArray(value) && value.length > 0,
  },
  dependencies: undefined,
};

function judgeSchema({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  return Object.entries(subject).flatMap(([key, value]) => {
    const kind = keywordKinds.get(key);
    const form = kind && keywordForms[kind];
    if (form === undefined || form.fits(value)) return [];
    const message = `\`${key}\` is ${describeMessageValue(value)}, not ${form.what}`;
    return [{ path: appendPointer(path, key), message }];
  });
}

/** Keywords whose value is not what JSON Schema asks for. */
export function judgeKeywords(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ path, all }) =>
    all.flatMap((place) => {
      const isRoot = place.path === path;
      // The root's own type has separate rules.
      return judgeSchema(place).filter((problem) => !(isRoot && problem.path === `${path}/type`));
    }),
  );
}

const bounds = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

function judgeBounds({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  return bounds.flatMap(([low, high]) => {
    const least = subject[low];
    const most = subject[high];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) return [];
    return [{ path: appendPointer(path, low), message: `\`${low}\` ${least} is over \`${high}\` ${most}` }];
  });
}

function judgeRequired({ path, schema: subject }: PlacedSchema): DefinitionProblem[] {
  const { additionalProperties, patternProperties } = subject;
  const { properties, required } = propertiesOf(subject);
  return [...required].flatMap((name) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isClosed = value === undefined && additionalProperties === false && patternProperties === undefined;
    if (value !== false && !isClosed) return [];
    return [{ path: `${path}/required`, message: `\`${name}\` is required and not allowed` }];
  });
}

/** Schemas that no value can satisfy, so that a tool can never be called or never answer. */
export function judgeImpossible(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ all }) =>
    all.filter(({ isSure }) => isSure).flatMap((place) => [...judgeBounds(place), ...judgeRequired(place)]),
  );
}

/** Fields that are required but not described anywhere. */
export function judgeUnknownRequired(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ name: schemaName, path, root }) => {
    const { properties, required } = propertiesOf(root);
    if (schemaName !== "inputSchema") return [];
    // If nothing else is allowed, `definition/schema-impossible` reports it; other keywords may describe the field.
    const elsewhere = ["$ref", "allOf", "anyOf", "oneOf", "patternProperties", "if", "dependentSchemas"];
    if (root["additionalProperties"] === false || elsewhere.some((key) => root[key] !== undefined)) return [];
    return [...required]
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => ({ path: `${path}/required`, message: `\`${name}\` is required but not described` }));
  });
}

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** Every validator has the schemas of JSON Schema itself. */
const KNOWN = /^https?:\/\/json-schema\.org\//;

interface PlacedRef {
  readonly path: string;
  readonly ref: string;
  readonly from: JsonObject;
  /** The ref's target within the document, or undefined. */
  readonly target: JsonValue | undefined;
}

function readRefs({ root, all }: Pick<ReadableSchema, "root" | "all">): readonly PlacedRef[] {
  const index = indexSchema(root);
  return all.flatMap(({ path, schema }) => {
    const ref = schema["$ref"];
    if (typeof ref !== "string") return [];
    const target = resolveRef("$ref", ref, schema, index);
    return [{ path: `${path}/$ref`, ref, from: schema, target }];
  });
}

function judgeUnresolved(definition: JsonObject, isNetwork: boolean): DefinitionProblem[] {
  return schemasOf(definition).flatMap((readable) =>
    readable.refs
      .filter(
        ({ ref, target }) => target === undefined && !KNOWN.test(ref) && ABSOLUTE.test(ref) === isNetwork,
      )
      .map(({ path, ref }) => ({ path, message: `\`$ref\` is ${describeMessageValue(ref)}` })),
  );
}

/** Refs that lead out of the document. */
export function judgeNetworkRefs(definition: JsonObject): DefinitionProblem[] {
  return judgeUnresolved(definition, true);
}

/** Refs to a place of the document that does not exist. */
export function judgeDeadRefs(definition: JsonObject): DefinitionProblem[] {
  return judgeUnresolved(definition, false);
}

/** Keywords whose schemas apply to the same value as the schema that contains them. */
const inPlace = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

type Edges = (schema: JsonObject) => readonly JsonObject[];

/** The first schema that leads back to itself; the walk does not recurse, so depth is harmless. */
function findCycle(roots: readonly JsonObject[], edges: Edges): JsonObject | undefined {
  const states = new Map<JsonObject, "entered" | "left">();
  const pending = [...roots].reverse();
  for (let schema = pending.at(-1); schema !== undefined; schema = pending.at(-1)) {
    if (states.has(schema)) {
      states.set(schema, "left");
      pending.pop();
      continue;
    }
    states.set(schema, "entered");
    for (const next of edges(schema)) {
      if (states.get(next) === "entered") return next;
      if (!states.has(next)) pending.push(next);
    }
  }
  return undefined;
}

interface Cycle {
  readonly path: string;
  readonly isLoop: boolean;
}

/** A loop returns without going deeper into the value, so a validator never ends; otherwise the schema is recursive. */
function findReturn(readable: ReadableSchema): Cycle | undefined {
  const targets = new Map<JsonObject, JsonObject>();
  for (const { from, target } of readable.refs) if (isJsonObject(target)) targets.set(from, target);
  if (targets.size === 0) return undefined;
  const edgesBy =
    (keeps: (keyword: string) => boolean): Edges =>
    (schema) =>
      [...childrenOf(schema).filter(({ keyword }) => keeps(keyword)), { schema: targets.get(schema) }]
        .map((next) => next.schema)
        .filter(isJsonObject);
  const roots = readable.all.map(({ schema }) => schema);
  const loop = findCycle(
    roots,
    edgesBy((keyword) => inPlace.has(keyword)),
  );
  const found =
    loop ??
    findCycle(
      roots,
      edgesBy((keyword) => keyword !== "$defs" && keyword !== "definitions"),
    );
  if (found === undefined) return undefined;
  const path = readable.all.find(({ schema }) => schema === found)?.path ?? readable.path;
  return { path, isLoop: loop !== undefined };
}

/** Schemas that refer to themselves without going deeper. */
export function judgeLoops(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap((readable) => {
    const found = findReturn(readable);
    if (found === undefined || !found.isLoop) return [];
    return [{ path: found.path, message: "The schema refers to itself for the same value" }];
  });
}

/** Input schemas that contain themselves, as trees do. */
export function judgeRecursion(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap((readable) => {
    const found = readable.name === "inputSchema" ? findReturn(readable) : undefined;
    if (found === undefined || found.isLoop) return [];
    return [{ path: found.path, message: "The schema contains itself" }];
  });
}
