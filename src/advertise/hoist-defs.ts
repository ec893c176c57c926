// Opens a whole schema and moves all that is referred to under one flat `$defs`, so that the result can stand at
// any place of a larger schema. Promises that every ref resolves and that no ref comes back to itself without
// going deeper into the data. Never grows beyond the size of its input.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { breakLoops } from "./break-loops.ts";
import { createNamer, defRef } from "./def-name.ts";
import { openSchema } from "./open-schema.ts";
import { type SchemaIndex, indexSchema, resolveRef } from "./schema-index.ts";
import { MAX_LEVELS_THROUGH_REFS } from "./schema-limits.ts";
import type { OnNote } from "./schema-note.ts";

export type Defs = Readonly<Record<string, JsonObject>>;

export interface Hoisted {
  readonly schema: JsonObject;
  readonly defs: Defs;
}

interface Survey {
  /** What refs lead to, with the names they get. */
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

/** Undefined when refs lead deeper than a client can follow. */
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
