// Opens a whole schema and moves everything that refs name under one flat `$defs`, so that the result can be put
// anywhere in a larger schema. Promises that every ref resolves and that no ref returns to itself without going deeper
// into the data. Never grows beyond the size of its input.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { MAX_LEVELS_THROUGH_REFS, type OnNote, createNamer, defOf, defRef } from "./definitions.ts";
import { openSchema } from "./open-schema.ts";
import { type SchemaIndex, indexSchema, resolveRef } from "./schema-index.ts";

/** An opened schema and all schemas that apply to the same value; refs are not followed. */
export function* inPlace(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  const { allOf, anyOf, dependentSchemas } = schema;
  const lists = [allOf, anyOf, isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : undefined];
  for (const child of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    if (isJsonObject(child)) yield* inPlace(child);
  }
}

function refsInPlace(schema: JsonObject | undefined): string[] {
  if (schema === undefined) return [];
  return [...inPlace(schema)].flatMap(({ $ref }) => defOf($ref) ?? []);
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
