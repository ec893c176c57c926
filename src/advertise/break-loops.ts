import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { defOf } from "./def-name.ts";
import type { OnNote } from "./schema-note.ts";

/** An opened schema and all the schemas that hold for the same value, refs not followed. */
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

/** The definitions that are met again before any value was entered: a validator would never come back. */
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

/** The same definitions, with those that would be followed forever opened. */
export function breakLoops(
  defs: Readonly<Record<string, JsonObject>>,
  onNote: OnNote,
): Readonly<Record<string, JsonObject>> {
  const loops = findLoops(defs);
  for (const name of loops) onNote(`The definition "${name}" refers to itself in place and was opened.`);
  return Object.fromEntries(Object.entries(defs).map(([name, def]) => [name, loops.has(name) ? {} : def]));
}
