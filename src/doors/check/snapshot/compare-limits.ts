import { jsonEqual } from "../../../core/json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { appendPointer } from "../../../core/json/pointer.ts";
import type { SchemaChange } from "./compare-schemas.ts";

/** Whether a schema says what goes in, or what comes out. */
export type Direction = "input" | "output";

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const exact = ["pattern", "format", "multipleOf", "uniqueItems"] as const;

/** Narrower breaks callers, wider breaks readers. */
function changeOf(isNarrower: boolean, direction: Direction, path: string, message: string): SchemaChange {
  const isBreaking = isNarrower === (direction === "input");
  return { kind: isBreaking ? "breaking" : "harmless", path, message };
}

/** What one place of a schema allows: types, values, limits, further keys. */
export function compareLimits(
  old: JsonObject,
  now: JsonObject,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  return [
    ...compareSets(typesOf(old), typesOf(now), direction, appendPointer(path, "type")),
    ...compareSets(valuesOf(old), valuesOf(now), direction, appendPointer(path, "enum")),
    ...lowest.flatMap((key) => compareBound(old[key], now[key], 1, direction, appendPointer(path, key))),
    ...highest.flatMap((key) => compareBound(old[key], now[key], -1, direction, appendPointer(path, key))),
    ...exact.flatMap((key) => compareExact(old[key], now[key], direction, appendPointer(path, key))),
    ...compareFurther(old, now, direction, appendPointer(path, "additionalProperties")),
  ];
}

function typesOf({ type }: JsonObject): readonly string[] | undefined {
  if (type === undefined) return undefined;
  const listed = (Array.isArray(type) ? type : [type]) as readonly JsonValue[];
  // A whole number is a number, so a list with numbers has whole numbers in it.
  return listed
    .filter((name) => typeof name === "string")
    .flatMap((name) => (name === "number" ? ["number", "integer"] : [name]));
}

function valuesOf({ enum: values, const: only }: JsonObject): readonly string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)];
  return Array.isArray(values) ? values.map((value: JsonValue) => JSON.stringify(value)) : undefined;
}

/** Undefined stands for everything. */
function compareSets(
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  const lost = now === undefined ? [] : (old?.filter((one) => !now.includes(one)) ?? ["others"]);
  const won = old === undefined ? [] : (now?.filter((one) => !old.includes(one)) ?? ["others"]);
  return [
    ...(lost.length === 0 ? [] : [changeOf(true, direction, path, `no longer allows ${lost.join(", ")}`)]),
    ...(won.length === 0 ? [] : [changeOf(false, direction, path, `allows ${won.join(", ")} too`)]),
  ];
}

/** `sign` is 1 for a lower bound and -1 for an upper one. */
function compareBound(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
  sign: 1 | -1,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  if (old === now) return [];
  const valueOf = (bound: JsonValue | undefined): number =>
    typeof bound === "number" ? bound * sign : Number.NEGATIVE_INFINITY;
  const shown = (bound: JsonValue | undefined): string =>
    bound === undefined ? "none" : JSON.stringify(bound);
  return [
    changeOf(valueOf(now) > valueOf(old), direction, path, `was ${shown(old)} and is ${shown(now)} now`),
  ];
}

function compareExact(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  if (old === undefined && now === undefined) return [];
  if (old !== undefined && now !== undefined)
    return jsonEqual(old, now) ? [] : [{ kind: "breaking", path, message: "is another one now" }];
  return [changeOf(now !== undefined, direction, path, now === undefined ? "is gone" : "is asked for now")];
}

/** Keys that no property names. Whoever reads results has to pass over those anyway. */
function compareFurther(
  { additionalProperties: old = true }: JsonObject,
  { additionalProperties: now = true }: JsonObject,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  if (jsonEqual(old, now)) return [];
  if (direction === "output") return [{ kind: "harmless", path, message: "changed" }];
  if (now === true || old === false)
    return [{ kind: "harmless", path, message: "further keys are allowed now" }];
  return [
    {
      kind: "breaking",
      path,
      message: now === false ? "further keys are refused now" : "further keys are judged now",
    },
  ];
}
