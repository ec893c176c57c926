// The fields that a tool's output schema marks deprecated, and those of them that are in the data. The schema is read
// once.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { inPlace, localTarget, schemasIn } from "./json-schema.ts";

/** Every item of a list, or every value of a map. */
const EACH: unique symbol = Symbol("each");
type Step = string | typeof EACH;

interface Field {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Deep and wide enough for a schema that people read; a longer list would not help. */
const MAX_DEPTH = 12;
const MAX_FIELDS = 50;

/** The schemas one step below, each with its step. */
function below({ properties, items, prefixItems, additionalProperties }: JsonObject): [Step, JsonObject][] {
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  const rest = [...schemasIn(prefixItems), items, additionalProperties].map((one) => [EACH, one] as const);
  return [...named, ...rest].flatMap(([step, one]): [Step, JsonObject][] =>
    isJsonObject(one) ? [[step, one]] : [],
  );
}

/** Deprecated as a whole: by its own keyword or that of its ref's target, not by one of several branches. */
function isDeprecated(schema: JsonObject, root: JsonObject): boolean {
  const target = localTarget(root, schema);
  return schema["deprecated"] === true || (isJsonObject(target) && target["deprecated"] === true);
}

function nameOf(steps: readonly Step[]): string {
  return steps.reduce<string>((name, step) => {
    if (step === EACH) return `${name}[*]`;
    return name === "" ? step : `${name}.${step}`;
  }, "");
}

function findFields(root: JsonObject): readonly Field[] {
  const fields = new Map<string, Field>();
  const pending: { readonly schema: JsonObject; readonly steps: readonly Step[] }[] = [
    { schema: root, steps: [] },
  ];
  for (let next = pending.shift(); next !== undefined && fields.size < MAX_FIELDS; next = pending.shift()) {
    const { schema, steps } = next;
    if (steps.length > MAX_DEPTH) continue;
    for (const [step, one] of [...inPlace([schema], (each) => localTarget(root, each))].flatMap(below)) {
      const place: readonly Step[] = [...steps, step];
      const name = nameOf(place);
      if (!isDeprecated(one, root)) pending.push({ schema: one, steps: place });
      else if (!fields.has(name)) fields.set(name, { name, steps: place });
    }
  }
  return [...fields.values()];
}

function has(data: JsonValue, steps: readonly Step[], from = 0): boolean {
  const step = steps[from];
  if (step === undefined) return true;
  if (typeof data !== "object" || data === null) return false;
  if (step === EACH) return Object.values(data as JsonObject).some((one) => has(one, steps, from + 1));
  if (!isJsonObject(data) || !Object.hasOwn(data, step)) return false;
  return has(data[step] ?? null, steps, from + 1);
}

/** Names the deprecated fields in data, by its schema; undefined if the schema marks none. */
export function deprecatedFields(
  schema: JsonObject | undefined,
): ((data: JsonValue) => readonly string[]) | undefined {
  // Most schemas do not contain the word at all.
  if (schema === undefined || !JSON.stringify(schema).includes('"deprecated":true')) return undefined;
  const fields = findFields(schema);
  if (fields.length === 0) return undefined;
  return (data) => fields.filter(({ steps }) => has(data, steps)).map(({ name }) => name);
}
