import { jsonEqual } from "../../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { ContractChange } from "../report/check-report.ts";
import { type ContractSnapshot, type ToolSnapshot, compareShapes } from "./contract-snapshot.ts";
import { appendPointer } from "../../../core/json/pointer.ts";
import { choicesOf, localTarget, namedTypes, propertiesOf } from "../../../core/schema/json-schema.ts";

type Change = Omit<ContractChange, "tool">;

/** What changed from one snapshot to another, breaking changes first. */
export function compareSnapshots(
  before: ContractSnapshot,
  after: ContractSnapshot,
): readonly ContractChange[] {
  const changes = [...new Set([...Object.keys(before.tools), ...Object.keys(after.tools)])].flatMap(
    (tool) => {
      const old = Object.hasOwn(before.tools, tool) ? before.tools[tool] : undefined;
      const now = Object.hasOwn(after.tools, tool) ? after.tools[tool] : undefined;
      return compareTool(old, now).map((change): ContractChange => ({ ...change, tool }));
    },
  );
  const rank = ({ kind }: ContractChange): number => (kind === "breaking" ? 0 : 1);
  return changes.sort((one, other) => rank(one) - rank(other));
}

function compareTool(old: ToolSnapshot | undefined, now: ToolSnapshot | undefined): readonly Change[] {
  if (now === undefined) return [{ kind: "breaking", path: "", message: "the tool is gone" }];
  if (old === undefined) return [{ kind: "harmless", path: "", message: "the tool is new" }];
  return [
    ...compareSchemas(old.inputSchema ?? {}, now.inputSchema ?? {}, "input", "/inputSchema"),
    ...compareOutput(old, now),
    ...compareHints(old.annotations ?? {}, now.annotations ?? {}),
    ...(old.description === now.description
      ? []
      : [
          {
            kind: "harmless" as const,
            path: "/description",
            message: "the description changed: models read another text",
          },
        ]),
    ...compareResults(old, now),
  ];
}

function compareOutput(
  { outputSchema: old }: ToolSnapshot,
  { outputSchema: now }: ToolSnapshot,
): readonly Change[] {
  const path = "/outputSchema";
  if (old === undefined)
    return now === undefined ? [] : [{ kind: "harmless", path, message: "results are described now" }];
  if (now === undefined) return [{ kind: "breaking", path, message: "results are not described any more" }];
  return compareSchemas(old, now, "output", path);
}

/** The protocol's default for a missing hint, which is always the value that requires more care. */
const carefulValues: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

function compareHints(old: JsonObject, now: JsonObject): readonly Change[] {
  return Object.keys(carefulValues).flatMap((hint): readonly Change[] => {
    const [before, after] = [old[hint] ?? carefulValues[hint], now[hint] ?? carefulValues[hint]];
    if (before === undefined || after === undefined || jsonEqual(before, after)) return [];
    // Clients call a tool that claims to be harmless without asking; a tool that becomes less harmless breaks that.
    const isBreaking = after === carefulValues[hint];
    const message = `was ${JSON.stringify(before)} and is ${JSON.stringify(after)} now`;
    return [{ kind: isBreaking ? "breaking" : "harmless", path: `/annotations/${hint}`, message }];
  });
}

function compareResults(old: ToolSnapshot, now: ToolSnapshot): readonly Change[] {
  if (old.channels === undefined || now.channels === undefined) return [];
  const { channels } = now;
  const before = old.channels;
  const gone = before.filter((channel) => !channels.includes(channel));
  const fresh = channels.filter((channel) => !before.includes(channel));
  const shapes =
    old.result === undefined || now.result === undefined ? [] : compareShapes(old.result, now.result);
  return [
    ...gone.map((channel): Change => ({
      kind: "breaking",
      path: "result",
      message: `results have no ${channel} content any more`,
    })),
    ...fresh.map((channel): Change => ({
      kind: "harmless",
      path: "result",
      message: `results have ${channel} content too`,
    })),
    ...shapes.map((change) => ({ ...change, path: `result${change.path}` })),
  ];
}

// Whether a changed JSON Schema breaks users of the old one. Inputs and outputs are judged in opposite directions: an
// input may ask for less, an output may promise more. What cannot be judged counts as breaking.

type SchemaChange = Pick<ContractChange, "kind" | "path" | "message">;

interface Sides {
  readonly roots: readonly [before: JsonValue, after: JsonValue];
  readonly direction: Direction;
  readonly seen: Map<JsonObject, Set<JsonObject>>;
}

const MAX_DEPTH = 24;
const MAX_HOPS = 16;

/** Texts for people: a change affects what a model reads, not what is valid. */
const words = ["title", "description", "examples", "default", "deprecated"] as const;
/** Combinations: two different forms can mean the same, which cannot be decided in general. */
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

/** A schema as an object, with local references followed; undefined if a reference has no target. */
function open(schema: JsonValue | undefined, root: JsonValue): JsonObject | undefined {
  let current: JsonValue | undefined = schema;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (current === undefined || current === true) return {};
    if (!isJsonObject(current)) return current === false ? { not: {} } : undefined;
    if (typeof current["$ref"] !== "string") return current;
    current = localTarget(root, current);
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
  // An equal reference may point to a changed schema.
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

function compareProperties(
  old: JsonObject,
  now: JsonObject,
  path: string,
  sides: Sides,
  depth: number,
): readonly SchemaChange[] {
  const isInput = sides.direction === "input";
  const { properties: before, required: needed } = propertiesOf(old);
  const { properties: after, required: needs } = propertiesOf(now);
  const at = (key: string): string => appendPointer(appendPointer(path, "properties"), key);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after), ...needed, ...needs])];
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

/** Whether a schema describes input or output. */
type Direction = "input" | "output";

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const exact = ["pattern", "format", "multipleOf", "uniqueItems"] as const;

/** A narrower input breaks callers, a wider output breaks readers. */
function changeOf(isNarrower: boolean, direction: Direction, path: string, message: string): SchemaChange {
  const isBreaking = isNarrower === (direction === "input");
  return { kind: isBreaking ? "breaking" : "harmless", path, message };
}

/** Compares what one place of a schema allows: types, values, limits, further keys. */
function compareLimits(
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

function typesOf(schema: JsonObject): readonly string[] | undefined {
  // An integer is a number, so a type list with "number" includes "integer".
  return namedTypes(schema)?.flatMap((name) => (name === "number" ? ["number", "integer"] : [name]));
}

function valuesOf(schema: JsonObject): readonly string[] | undefined {
  return choicesOf(schema)?.map((value) => JSON.stringify(value));
}

/** Undefined means that everything is allowed. */
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

/** Keys that no property names. Readers of results must ignore such keys anyway. */
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
