// An input schema in fewer words: without what says nothing, and with what it repeats as one definition. Promises that the
// schema accepts and refuses exactly the same arguments, under the draft that it names, and that properties keep their
// names and their order. A schema that could not be rewritten with certainty stays the same object.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { branchesOf, choicesOf, mapChildren, namedTypes, propertiesOf } from "./json-schema.ts";
import { isAnnotation, schemaExcess } from "./open-schema.ts";
import { shareSubtrees } from "./share-subtrees.ts";
import { type FieldFacts, ToolLines, isRepeatOf, slimFieldText, tidyText } from "./slim-words.ts";

/** The words of the tool around its schema. */
interface SlimTool {
  readonly name: string;
  readonly description: string;
}

export function slimSchema(schema: JsonObject, tool: SlimTool): JsonObject {
  if (schemaExcess(schema) !== undefined || !hasPlainRefs(schema) || isEndless(schema)) return schema;
  const root = withoutUnusedDefs(schema);
  const slimming = new Slimming(root, tool);
  return shareSubtrees(slimming.slim(root, { name: tool.name, isRequired: undefined, isRoot: true }));
}

// Which schemas are rewritten.

/** Keywords by which a ref finds a schema without its place. */
const otherAddresses = ["$anchor", "$dynamicAnchor", "$recursiveAnchor", "$dynamicRef", "$recursiveRef"];

const defPlace = /^#\/(\$defs|definitions)\/([\w.-]+)$/;

/** The definition that a ref names; undefined for a ref to anything else. */
function defOf(root: JsonObject, ref: string): JsonObject | undefined {
  const [, keyword = "", name = ""] = defPlace.exec(ref) ?? [];
  const defs = root[keyword];
  const found = isJsonObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** Whether every ref leads to the root or to a definition of the root, so that everything else may be moved. */
function hasPlainRefs(root: JsonObject): boolean {
  const isAddressed = schemasBelow(root).some(
    (each) =>
      otherAddresses.some((keyword) => each[keyword] !== undefined) ||
      (each !== root && (each["$id"] !== undefined || typeof each["id"] === "string")),
  );
  if (isAddressed) return false;
  return objectsIn(root).every(
    ({ $ref }) => typeof $ref !== "string" || $ref === "#" || defOf(root, $ref) !== undefined,
  );
}

const conditions = ["not", "if", "then", "else"];

/** Whether a ref leads back to itself for the same value: what a client makes of that depends on its other words. */
function isEndless(root: JsonObject): boolean {
  const next = (schema: JsonObject): readonly JsonObject[] => {
    const { $ref, dependentSchemas } = schema;
    const target = typeof $ref !== "string" ? undefined : $ref === "#" ? root : defOf(root, $ref);
    const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
    const parts = [target, ...dependent, ...conditions.map((keyword) => schema[keyword])];
    return [...branchesOf(schema), ...parts.filter(isJsonObject)];
  };
  const left = new Set<JsonObject>();
  const entered = new Set<JsonObject>();
  const pending = [...schemasBelow(root)];
  for (let schema = pending.at(-1); schema !== undefined; schema = pending.at(-1)) {
    if (left.has(schema) || entered.has(schema)) {
      left.add(schema);
      pending.pop();
      continue;
    }
    entered.add(schema);
    for (const each of next(schema)) {
      if (entered.has(each) && !left.has(each)) return true;
      if (!left.has(each)) pending.push(each);
    }
  }
  return false;
}

/** A schema and all schemas in it. */
function schemasBelow(root: JsonObject): readonly JsonObject[] {
  const found = [root];
  // The list grows while it is read.
  for (const schema of found)
    mapChildren(schema, (child) => {
      found.push(child);
      return child;
    });
  return found;
}

/** Every object in a value, not only schemas: a pointer may lead anywhere. */
function objectsIn(value: JsonValue): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isJsonObject(next)) found.push(next);
    for (const child of Object.values(next)) pending.push(child);
  }
  return found;
}

/** Definitions that nothing refers to go. */
function withoutUnusedDefs(root: JsonObject): JsonObject {
  const { $defs, definitions, ...rest } = root;
  if ($defs === undefined && definitions === undefined) return root;
  const used = new Set<JsonValue>();
  const pending: JsonObject[] = [rest];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { $ref } of objectsIn(next)) {
      const def = typeof $ref === "string" ? defOf(root, $ref) : undefined;
      if (def === undefined || used.has(def)) continue;
      used.add(def);
      pending.push(def);
    }
  }
  return Object.fromEntries(
    Object.entries(root).flatMap(([keyword, value]) => {
      if ((keyword !== "$defs" && keyword !== "definitions") || !isJsonObject(value))
        return [[keyword, value]];
      const kept = Object.entries(value).filter(([, def]) => used.has(def));
      return kept.length === 0 ? [] : [[keyword, Object.fromEntries(kept)]];
    }),
  );
}

// What goes.

interface Place {
  /** The name of the property or definition that the schema is, or is a part of. */
  readonly name: string;
  readonly isRequired: boolean | undefined;
  readonly isRoot?: true;
}

interface SchemaFacts extends Place {
  readonly schema: JsonObject;
  /** Keywords of the whole schema that other keywords depend on. */
  readonly root: RootFacts;
}

interface RootFacts {
  /** What a keyword has looked at counts as known. */
  readonly hasUnevaluated: boolean;
  readonly dependsOnDraft: boolean;
}

function factsOf(root: JsonObject): RootFacts {
  const all = schemasBelow(root);
  const has = (keywords: readonly string[]): boolean =>
    all.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined));
  return {
    hasUnevaluated: has(["unevaluatedProperties", "unevaluatedItems"]),
    dependsOnDraft: has(draftKeywords) || all.some(isReadByDraft),
  };
}

/** Keywords that one draft reads, or reads differently, and another does not. */
const draftKeywords =
  "prefixItems additionalItems dependencies dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems minContains maxContains".split(
    " ",
  );
const besideRef = ["$defs", "definitions", "$schema", "$id", "$comment"];

/** A tuple as a list of items, and what is written beside a ref. */
function isReadByDraft(schema: JsonObject): boolean {
  if (Array.isArray(schema["items"])) return true;
  if (schema["$ref"] === undefined) return false;
  return Object.keys(schema).some((key) => key !== "$ref" && !isAnnotation(key) && !besideRef.includes(key));
}

/** The drafts that read all other keywords alike. */
const likeDrafts = /^https?:\/\/json-schema\.org\/(?:draft-07|draft\/2019-09|draft\/2020-12)\/schema#?$/;
const rootTitleWords = new Set(
  "arguments args params parameters input inputs schema request model dict the of for".split(" "),
);

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Keywords that say nothing, and where. */
const empty: Readonly<Record<string, (value: JsonValue, facts: SchemaFacts) => boolean>> = {
  $schema: (value, { isRoot, root }) =>
    isRoot === true && typeof value === "string" && likeDrafts.test(value) && !root.dependsOnDraft,
  // Every ref of a schema that is rewritten is a pointer, so no name is needed.
  $id: (value) => typeof value === "string",
  $comment: (value) => typeof value === "string",
  title: (value, facts) => typeof value === "string" && saysNothingNew(value, facts),
  markdownDescription: (value, { schema }) => value === schema["description"],
  // An argument that is left out is null for the tool.
  default: (value, { schema, isRequired }) =>
    (value === null && isRequired === false) ||
    (choicesOf(schema)?.length === 1 && isOnlyChoice(value, schema)),
  example: (_value, { schema }) => Array.isArray(schema["examples"]) || isClosed(schema),
  examples: (value, { schema }) => Array.isArray(value) && (value.length === 0 || isClosed(schema)),
  required: (value) => Array.isArray(value) && value.length === 0,
  additionalProperties: (value, { root }) => !root.hasUnevaluated && (value === true || isEmptyObject(value)),
  minLength: (value) => value === 0,
  minItems: (value) => value === 0,
  minProperties: (value) => value === 0,
  uniqueItems: (value) => value === false,
  deprecated: (value) => value === false,
  readOnly: (value) => value === false,
  writeOnly: (value) => value === false,
};

function isOnlyChoice(value: JsonValue, schema: JsonObject): boolean {
  return JSON.stringify(choicesOf(schema)?.[0]) === JSON.stringify(value);
}

/** Whether the schema names every value: an example is one of them. */
function isClosed(schema: JsonObject): boolean {
  return choicesOf(schema) !== undefined || namedTypes(schema)?.join() === "boolean";
}

function saysNothingNew(title: string, { schema, name, isRoot }: SchemaFacts): boolean {
  const { description } = schema;
  const others = [name, typeof description === "string" ? description : ""];
  return isRoot === true ? isRepeatOf(title, others, rootTitleWords) : isRepeatOf(title, others);
}

class Slimming {
  readonly #root: RootFacts;
  readonly #toolLines: ToolLines;

  constructor(root: JsonObject, { description }: SlimTool) {
    this.#root = factsOf(root);
    this.#toolLines = new ToolLines(description);
  }

  slim(schema: JsonObject, place: Place): JsonObject {
    const facts: SchemaFacts = { ...place, schema, root: this.#root };
    const kept = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
      if (Object.hasOwn(empty, keyword) && empty[keyword]?.(value, facts) === true) return [];
      const words = this.#words(keyword, value, facts);
      return words === undefined ? [] : [[keyword, words]];
    });
    const { required } = propertiesOf(schema);
    const slimmed = mapChildren(Object.fromEntries(kept), (child, keyword, key) =>
      this.slim(child, placeOf(keyword, key, place, required)),
    );
    return this.#root.hasUnevaluated ? slimmed : joinTypes(slimmed);
  }

  #words(
    keyword: string,
    value: JsonValue,
    { schema, name, isRequired, isRoot }: SchemaFacts,
  ): JsonValue | undefined {
    if (keyword === "examples" && Array.isArray(value)) return value.slice(0, 1);
    if (keyword !== "description" || typeof value !== "string") return value;
    const field: FieldFacts = { name, isRequired, schema };
    const text = isRoot === true ? tidyText(value) : slimFieldText(value, field, this.#toolLines);
    return text === "" ? undefined : text;
  }
}

function placeOf(
  keyword: string,
  key: string | undefined,
  { name }: Place,
  required: ReadonlySet<string>,
): Place {
  if (key === undefined || keyword === "patternProperties") return { name, isRequired: undefined };
  return { name: key, isRequired: keyword === "properties" ? required.has(key) : undefined };
}

// A union of types: `anyOf: [{type: "string"}, {type: "null"}]` is `type: ["string", "null"]`.

/** Keywords that say something of values of one type only. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems", "uniqueItems"],
};

function joinTypes(schema: JsonObject): JsonObject {
  const keyword = ["anyOf", "oneOf"].find((each) => schema[each] !== undefined);
  if (keyword === undefined || schema["type"] !== undefined || schema["nullable"] !== undefined)
    return schema;
  if (keyword === "anyOf" && schema["oneOf"] !== undefined) return schema;
  const joined = joinBranches(schema[keyword] ?? null);
  if (joined === undefined || Object.keys(joined).some((each) => schema[each] !== undefined)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key === keyword ? Object.entries(joined) : [[key, value]],
    ),
  );
}

/** One schema for branches of different types; undefined if one of them says more than a type can. */
function joinBranches(branches: JsonValue): JsonObject | undefined {
  if (!Array.isArray(branches) || branches.length < 2) return undefined;
  const types: string[] = [];
  const joined: Record<string, JsonValue> = {};
  for (const branch of branches as readonly JsonValue[]) {
    const type = isJsonObject(branch) ? branch["type"] : undefined;
    if (!isJsonObject(branch) || typeof type !== "string" || types.includes(type)) return undefined;
    for (const [key, value] of Object.entries(branch)) {
      if (key === "type") continue;
      if (keywordsOfType[type]?.includes(key) !== true || Object.hasOwn(joined, key)) return undefined;
      joined[key] = value;
    }
    if (!Object.hasOwn(keywordsOfType, type)) return undefined;
    types.push(type);
  }
  // Every integer is a number.
  return types.includes("integer") && types.includes("number") ? undefined : { type: types, ...joined };
}
