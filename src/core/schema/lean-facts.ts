// What schemas say to lean, which leaves fields out of results: which arguments later calls of a server take, and what an
// output schema asks of a result's fields.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { childrenOf } from "./json-schema.ts";

/** More schemas than a list of arguments has; a schema that refers to itself has no end. */
const MAX_SCHEMAS = 2_000;

/** The names of all properties of an input schema, at any depth. */
function argumentNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: JsonObject[] = [schema];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined && seen < MAX_SCHEMAS; next = pending.pop(), seen++) {
    const { properties } = next;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    for (const { schema: child } of childrenOf(next)) if (isJsonObject(child)) pending.push(child);
  }
  return names;
}

const placeWords =
  /(?:^|[_-])(?:path|file|filename|url|uri)s?$|[a-z](?:Path|File|Filename|Url|URL|Uri|URI)s?$/;

/** What a tool's input schema says to lean. */
export interface InputFacts {
  readonly names: readonly string[];
  readonly takesPlace: boolean;
}

export function inputFactsOf(schema: JsonObject | undefined): InputFacts {
  if (schema === undefined) return noInput;
  return { names: [...argumentNames(schema)], takesPlace: takesPlace(schema) };
}

const noInput: InputFacts = Object.freeze({ names: [], takesPlace: false });

/** Whether a call names a file or an address, so that its text is a document that others wrote. */
function takesPlace({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Object.keys(properties).some((name) => placeWords.test(name));
}

/** Keywords that make fields depend on each other, or say something of an object as a whole. */
const binding: ReadonlySet<string> = new Set([
  "contains",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "if",
  "maxProperties",
  "minProperties",
  "not",
  "oneOf",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
]);
const choices: ReadonlySet<string> = new Set(["const", "enum"]);
const bindingTexts: ReadonlySet<string> = new Set([
  "const",
  "contentSchema",
  "enum",
  "format",
  "minLength",
  "pattern",
]);

/** Whether an output schema says more of an object's fields than what they are and which are required. */
export function bindsFields(schema: JsonObject): boolean {
  return hasKeyword(
    schema,
    (key, value) => binding.has(key) || (choices.has(key) && JSON.stringify(value).includes("{")),
  );
}

/** Whether an output schema says what is in some text. */
export function bindsTexts(schema: JsonObject): boolean {
  return hasKeyword(schema, (key) => bindingTexts.has(key));
}

/** A schema that is too large to be read counts as having every keyword. */
function hasKeyword(schema: JsonObject, isFound: (key: string, value: JsonValue) => boolean): boolean {
  const pending: JsonObject[] = [schema];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (++seen > MAX_SCHEMAS || Object.entries(next).some(([key, value]) => isFound(key, value))) return true;
    for (const { schema: child } of childrenOf(next)) if (isJsonObject(child)) pending.push(child);
  }
  return false;
}
