import { indexSchema, resolveRef } from "../../schema/schema-index.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { describeValue } from "../../protocol/message-values.ts";
import type { DefinitionProblem } from "./definition-rule.ts";
import { type ReadableSchema, childrenOf, schemasOf } from "./schema-walk.ts";

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** Every validator has the schemas of JSON Schema itself. */
const KNOWN = /^https?:\/\/json-schema\.org\//;

interface PlacedRef {
  readonly path: string;
  readonly ref: string;
  readonly from: JsonObject;
  /** The ref's target within the document; undefined if there is none. */
  readonly target: JsonValue | undefined;
}

const refs = new WeakMap<JsonObject, readonly PlacedRef[]>();

function refsOf(readable: ReadableSchema): readonly PlacedRef[] {
  const known = refs.get(readable.root) ?? readRefs(readable);
  refs.set(readable.root, known);
  return known;
}

function readRefs({ root, all }: ReadableSchema): readonly PlacedRef[] {
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
    refsOf(readable)
      .filter(
        ({ ref, target }) => target === undefined && !KNOWN.test(ref) && ABSOLUTE.test(ref) === isNetwork,
      )
      .map(({ path, ref }) => ({ path, message: `\`$ref\` is ${describeValue(ref)}` })),
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
  for (const { from, target } of refsOf(readable)) if (isJsonObject(target)) targets.set(from, target);
  if (targets.size === 0) return undefined;
  const edgesBy =
    (keeps: (keyword: string) => boolean): Edges =>
    (schema) =>
      [...childrenOf(schema, "").filter(({ keyword }) => keeps(keyword)), { schema: targets.get(schema) }]
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
