// Models send `"[\"a\"]"` for a list, `"5"` for a number and `null` for what they leave out. A value is
// repaired if the schema refuses it and accepts the repair. If the schema accepts a text, the text is never
// changed.

import type { WarningDetail } from "../../core/contract/warning.ts";
import { findNonJson } from "../../core/json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../core/json/json-value.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import { shortened } from "./input-failure.ts";
import { type SchemaIssue, type StandardSchema, jsonSchemaOf } from "../settings/standard-schema.ts";
import { sayName } from "../../core/text/say-name.ts";
import {
  branchesOf,
  choicesOf,
  jsonTypeOf,
  localTarget,
  memberSchema,
  namedTypes,
  propertiesOf,
  schemasIn,
} from "../../core/schema/json-schema.ts";

/** The change of one value; undefined removes it. */
interface Change {
  readonly path: readonly string[];
  readonly from: JsonValue;
  readonly to: JsonValue | undefined;
}

interface Repair extends Change {
  /** The schema refused something around the value, so the value itself may not need a change. */
  readonly isGuess: boolean;
}

export interface RepairedArguments {
  /** The repaired arguments as the schema parses them. */
  readonly value: unknown;
  readonly warning: WarningDetail;
}

/** JSON text inside JSON text, three levels deep: models go no further. */
const MAX_ROUNDS = 4;
const MAX_REPAIRS = 1_000;
/** The most texts and nulls that are examined. */
const MAX_LEAVES = 10_000;
/** Each guess costs one check by the schema. */
const MAX_GUESSES = 50;
const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_NAMED = 5;

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function parsed(text: string): JsonValue | undefined {
  const read = parseJson(text);
  return read.ok && read.findings.length === 0 ? read.value : undefined;
}

/** The certain meaning of a text under a schema that accepts only other types. */
function readText(given: string, types: ReadonlySet<string>): JsonValue | undefined {
  if (given.length > MAX_TEXT_CHARACTERS) return undefined;
  const text = given.trim();
  if (text.startsWith("[") && types.has("array")) return parsed(text);
  if (text.startsWith("{") && types.has("object")) return parsed(text);
  if ((types.has("number") || types.has("integer")) && numberText.test(text)) return parsed(text);
  const isSwitch = types.has("boolean") && /^(?:true|false)$/i.test(text);
  return isSwitch ? text.toLowerCase() === "true" : undefined;
}

/** The words of schema libraries for a type, for schemas without a JSON Schema. */
const typeWords: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  int: "number",
  boolean: "boolean",
  array: "array",
  object: "object",
};

function expectedTypes({ expected }: SchemaIssue & { readonly expected?: unknown }) {
  const word = typeof expected === "string" ? expected.toLowerCase() : "";
  const type = Object.hasOwn(typeWords, word) ? typeWords[word] : undefined;
  return type === undefined ? undefined : new Set([type]);
}

interface Place {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** The texts and nulls at and below a place. */
function* leavesBelow({ path, value }: Place): Generator<Place> {
  if (typeof value === "string" || value === null) yield { path, value };
  else if (typeof value === "object")
    for (const [key, item] of Object.entries(value))
      yield* leavesBelow({ path: [...path, key], value: item });
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = args;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, JsonValue>>)[key];
  }
  return at;
}

function repairOf(
  { path, value }: Place,
  types: ReadonlySet<string> | undefined,
  args: JsonObject,
  isGuess: boolean,
): Repair | undefined {
  if (types === undefined || path.length === 0) return undefined;
  if (value === null) {
    const isField = isJsonObject(valueAt(args, path.slice(0, -1)));
    return isField && !types.has("null") ? { path, from: null, to: undefined, isGuess } : undefined;
  }
  const to = typeof value === "string" && !types.has("string") ? readText(value, types) : undefined;
  return to === undefined ? undefined : { path, from: value, to, isGuess };
}

/** Repairs for the places that the issues name, each place once. */
function findRepairs(args: JsonObject, issues: readonly SchemaIssue[], schema: StandardSchema): Repair[] {
  const json = jsonSchemaOf(schema, "input");
  const found = new Map<string, Repair>();
  let leaves = 0;
  for (const issue of issues) {
    const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step));
    const value = valueAt(args, path);
    if (value === undefined) continue;
    for (const leaf of leavesBelow({ path, value })) {
      const isGuess = leaf.path.length > path.length;
      const types =
        json !== undefined ? typesAt(json, args, leaf.path) : isGuess ? undefined : expectedTypes(issue);
      const repair = repairOf(leaf, types, args, isGuess);
      if (repair !== undefined) found.set(JSON.stringify(leaf.path), repair);
      leaves++;
      if (found.size > MAX_REPAIRS || leaves > MAX_LEAVES) return [];
    }
  }
  return [...found.values()];
}

function put(holder: JsonValue, path: readonly string[], to: JsonValue | undefined): JsonValue {
  const [key = "", ...rest] = path;
  if (path.length === 0 || typeof holder !== "object" || holder === null) return holder;
  const change = (item: JsonValue): JsonValue | undefined => (rest.length === 0 ? to : put(item, rest, to));
  if (isJsonObject(holder)) return mapObject(holder, (item, name) => (name === key ? change(item) : item));
  return holder.map((item, index) => (String(index) === key ? (change(item) ?? null) : item));
}

function apply(args: JsonObject, repairs: readonly Repair[]): JsonObject {
  return repairs.reduce<JsonObject>((changed, { path, to }) => put(changed, path, to) as JsonObject, args);
}

const isBelow = ({ path }: Repair, { path: above }: Repair): boolean =>
  above.every((key, index) => path[index] === key);

/** Undoes every guess that the schema does not need to accept the arguments. */
async function keepNeeded(
  args: JsonObject,
  repairs: readonly Repair[],
  schema: StandardSchema,
): Promise<readonly Repair[]> {
  let kept = repairs;
  for (const guess of repairs.filter(({ isGuess }) => isGuess).reverse()) {
    const fewer = kept.filter((repair) => !isBelow(repair, guess));
    if (fewer.length === 0 || fewer.length === kept.length) continue;
    const { issues } = await schema["~standard"].validate(apply(args, fewer));
    if (issues === undefined) kept = fewer;
  }
  return kept;
}

function wordsFor({ path, from, to }: Change): string {
  const field = sayName(path.join("."));
  return to === undefined || from === null
    ? `${field}: null was taken as not given`
    : `${field}: a text was read as ${jsonTypeOf(to)}`;
}

export function warningFor(repairs: readonly Change[]): WarningDetail {
  const named = repairs.slice(0, MAX_NAMED).map(wordsFor);
  const more = repairs.length - named.length;
  const said = more > 0 ? [...named, `${more} more`] : named;
  return {
    code: "ARGUMENT_REPAIRED",
    severity: "info",
    message: `Arguments did not fit the tool's schema and were repaired. ${said.join("; ")}`,
    context: { fields: repairs.slice(0, MAX_NAMED).map(({ path }) => shortened(path.join("."))) },
  };
}

/**
 * The repaired arguments, or undefined if no repair makes the schema accept them. Synchronous if nothing can
 * be repaired.
 */
export function repairArguments(
  args: JsonObject,
  issues: readonly SchemaIssue[],
  schema: StandardSchema,
): Promise<RepairedArguments | undefined> | undefined {
  const first = findRepairs(args, issues, schema);
  return first.length === 0 ? undefined : tryRepairs(args, first, schema);
}

async function tryRepairs(
  args: JsonObject,
  first: readonly Repair[],
  schema: StandardSchema,
): Promise<RepairedArguments | undefined> {
  let repairs = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const changed = apply(args, repairs);
    if (findNonJson(changed) !== undefined) return undefined;
    const { issues } = await schema["~standard"].validate(changed);
    if (issues === undefined) return settle(args, repairs, schema);
    const next = findRepairs(changed, issues, schema);
    if (next.length === 0 || repairs.length + next.length > MAX_REPAIRS) return undefined;
    repairs = [...repairs, ...next];
  }
  return undefined;
}

async function settle(
  args: JsonObject,
  repairs: readonly Repair[],
  schema: StandardSchema,
): Promise<RepairedArguments | undefined> {
  if (repairs.filter(({ isGuess }) => isGuess).length > MAX_GUESSES) return undefined;
  const needed = await keepNeeded(args, repairs, schema);
  const result = await schema["~standard"].validate(apply(args, needed));
  return result.issues === undefined ? { value: result.value, warning: warningFor(needed) } : undefined;
}

/** The most schemas nested at one place; a deeper schema counts as unknown. */
const MAX_NESTING = 16;

function referred(schema: JsonObject, root: JsonObject): JsonObject {
  const found = localTarget(root, schema);
  return isJsonObject(found) ? found : schema;
}

/** False for a member of a union whose deciding field does not match this value. */
function mayHold(member: JsonObject, value: JsonValue): boolean {
  if (!isJsonObject(value)) return true;
  return Object.entries(propertiesOf(member).properties).every(([key, field]) => {
    const choices = isJsonObject(field) ? choicesOf(field) : undefined;
    return choices === undefined || !Object.hasOwn(value, key) || choices.includes(value[key] ?? null);
  });
}

/** The schema and all schemas in its unions and intersections, without those that cannot match the value. */
function spread(schema: JsonObject, value: JsonValue, root: JsonObject, level = 0): readonly JsonObject[] {
  const own = referred(schema, root);
  if (level > MAX_NESTING) return [own];
  const held = branchesOf(own)
    .map((member) => referred(member, root))
    .filter((member) => mayHold(member, value));
  return [own, ...held.flatMap((member) => spread(member, value, root, level + 1))];
}

/** The JSON types that a schema accepts; undefined if it does not say. */
function typesOf(schema: JsonObject, root: JsonObject, level = 0): ReadonlySet<string> | undefined {
  const own = referred(schema, root);
  if (level > MAX_NESTING) return undefined;
  const named = namedTypes(own) ?? choicesOf(own)?.map(jsonTypeOf);
  if (named !== undefined) return new Set(named);
  const union = [...schemasIn(own["anyOf"]), ...schemasIn(own["oneOf"])];
  if (union.length > 0) return unite(union.map((member) => typesOf(member, root, level + 1)));
  // A value must match every schema of `allOf`, so the first that names types is enough.
  return schemasIn(own["allOf"])
    .map((member) => typesOf(member, root, level + 1))
    .find((types) => types !== undefined);
}

function unite(all: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = all.filter((types) => types !== undefined);
  return known.length < all.length ? undefined : new Set(known.flatMap((types) => [...types]));
}

/** The JSON types that the schema of the arguments accepts at a place; undefined if it does not say. */
function typesAt(
  root: JsonObject,
  args: JsonObject,
  path: readonly string[],
): ReadonlySet<string> | undefined {
  let places: readonly JsonObject[] = [root];
  let at: JsonValue = args;
  for (const key of path) {
    const holder: JsonValue = at;
    const fields = places
      .flatMap((place) => spread(place, holder, root))
      .map((place) => memberSchema(place, Array.isArray(holder) ? Number(key) : key));
    // `true` accepts anything, so it says nothing; `false` accepts nothing.
    if (fields.includes(true)) return undefined;
    places = fields.filter(isJsonObject);
    at = (holder as Readonly<Record<string, JsonValue>>)[key] ?? null;
  }
  return places.length === 0 ? undefined : unite(places.map((place) => typesOf(place, root)));
}
