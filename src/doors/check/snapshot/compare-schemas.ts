// Whether a changed JSON Schema breaks those who rely on the old one. What goes in and what comes out are judged the
// other way round: an input may ask for less, an output may promise more. What cannot be judged counts as breaking.

import { getByPointer, appendPointer } from "../../../core/json/pointer.ts";
import { jsonEqual } from "../../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ContractChange } from "../report/check-report.ts";
import { type Direction, compareLimits } from "./compare-limits.ts";

export type SchemaChange = Pick<ContractChange, "kind" | "path" | "message">;

interface Sides {
  readonly roots: readonly [before: JsonValue, after: JsonValue];
  readonly direction: Direction;
  readonly seen: Map<JsonObject, Set<JsonObject>>;
}

const MAX_DEPTH = 24;
const MAX_HOPS = 16;

/** Words for people: a change of them changes what a model reads, not what is valid. */
const words = ["title", "description", "examples", "default", "deprecated"] as const;
/** Combinations: two forms of them can mean the same, and nobody can tell in general. */
const combinations = [
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "prefixItems",
  "contains",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;

/** Changes from one schema to another; paths begin with `path`. */
export function compareSchemas(
  before: JsonValue,
  after: JsonValue,
  direction: Direction,
  path: string,
): readonly SchemaChange[] {
  if (jsonEqual(before, after)) return [];
  return compare(before, after, path, { roots: [before, after], direction, seen: new Map() }, 0);
}

/** A schema as an object, its local references followed; undefined where one leads nowhere. */
function open(schema: JsonValue | undefined, root: JsonValue): JsonObject | undefined {
  let current: JsonValue | undefined = schema;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (current === undefined || current === true) return {};
    if (!isJsonObject(current)) return current === false ? { not: {} } : undefined;
    const { $ref: reference } = current;
    if (typeof reference !== "string") return current;
    if (!reference.startsWith("#")) return undefined;
    try {
      current = getByPointer(root, decodeURIComponent(reference.slice(1)));
    } catch {
      return undefined;
    }
    if (current === undefined) return undefined;
  }
  return undefined;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  sides: Sides,
  depth: number,
): readonly SchemaChange[] {
  const { roots, direction, seen } = sides;
  const isSame = before !== undefined && after !== undefined && jsonEqual(before, after);
  // The same reference can mean something else by now.
  if (isSame && !JSON.stringify(before).includes('"$ref"')) return [];
  const [old, now] = [open(before, roots[0]), open(after, roots[1])];
  if (old === undefined || now === undefined || depth > MAX_DEPTH)
    return isSame
      ? []
      : [{ kind: "breaking", path, message: "changed where it cannot be compared: read it" }];
  const met = seen.get(old) ?? new Set();
  // A schema that refers to itself is compared once.
  if (met.has(now)) return [];
  seen.set(old, met.add(now));
  return [
    ...compareLimits(old, now, direction, path),
    ...compareProperties(old, now, path, sides, depth),
    ...compareItems(old, now, path, sides, depth),
    ...combinations
      .filter((key) => !isEqual(old[key], now[key]))
      .map((key) => ({
        kind: "breaking" as const,
        path: appendPointer(path, key),
        message: "changed in a way that cannot be judged: read it",
      })),
    ...words
      .filter((key) => !isEqual(old[key], now[key]))
      .map((key) => ({
        kind: "harmless" as const,
        path: appendPointer(path, key),
        message: `the ${key} changed`,
      })),
  ];
}

function isEqual(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return jsonEqual(before, after);
}

function compareItems(
  old: JsonObject,
  now: JsonObject,
  path: string,
  sides: Sides,
  depth: number,
): readonly SchemaChange[] {
  if (old["items"] === undefined && now["items"] === undefined) return [];
  return compare(old["items"], now["items"], appendPointer(path, "items"), sides, depth + 1);
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema["properties"]) ? schema["properties"] : {};
}

function requiredOf(schema: JsonObject): ReadonlySet<JsonValue> {
  const { required } = schema;
  return new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : []);
}

function compareProperties(
  old: JsonObject,
  now: JsonObject,
  path: string,
  sides: Sides,
  depth: number,
): readonly SchemaChange[] {
  const isInput = sides.direction === "input";
  const [before, after] = [propertiesOf(old), propertiesOf(now)];
  const [needed, needs] = [requiredOf(old), requiredOf(now)];
  const at = (key: string): string => appendPointer(appendPointer(path, "properties"), key);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after), ...needed, ...needs])].filter(
    (name): name is string => typeof name === "string",
  );
  const change = (isBreaking: boolean, key: string, message: string): SchemaChange => ({
    kind: isBreaking ? "breaking" : "harmless",
    path: at(key),
    message,
  });
  return names.flatMap((key) => {
    const [had, has] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    const [was, is] = [needed.has(key), needs.has(key)];
    if (had && !has) {
      if (isInput) return [change(true, key, "is not taken any more")];
      return [
        change(was, key, was ? "was always there and is not promised any more" : "is not promised any more"),
      ];
    }
    if (!had && has)
      return [
        change(isInput && is, key, isInput ? (is ? "is new and required" : "is new and optional") : "is new"),
      ];
    const requirement =
      was === is
        ? []
        : [
            change(
              isInput ? is : was,
              key,
              is ? "is required now" : isInput ? "is optional now" : "may be missing now",
            ),
          ];
    return [...requirement, ...compare(before[key], after[key], at(key), sides, depth + 1)];
  });
}
