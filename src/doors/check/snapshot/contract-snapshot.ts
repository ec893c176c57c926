// A snapshot of what a server promises and returns: its tools, their schemas, the shapes of their results. The file is
// kept beside the code, and a later check compares the server with it.

import * as z from "zod/mini";
import { checkOptions, refuseOptions } from "../../../core/options/check-options.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  setOwn,
  jsonIn,
} from "../../../core/json/json-value.ts";
import type { CallRecord, ServerRecord } from "../../../core/rules/server-record.ts";
import { appendPointer } from "../../../core/json/pointer.ts";

const SNAPSHOT_FORMAT = "waybill-check-snapshot-1";

/** What one tool promised, and what its results looked like. */
export interface ToolSnapshot {
  readonly description?: string | undefined;
  readonly annotations?: JsonObject | undefined;
  readonly inputSchema?: JsonValue | undefined;
  readonly outputSchema?: JsonValue | undefined;
  /** The kinds of content in good results: `structured`, `text`, `image` …; undefined if no call succeeded. */
  readonly channels?: readonly string[] | undefined;
  readonly result?: ResultShape | undefined;
}

export interface ContractSnapshot {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly tools: Readonly<Record<string, ToolSnapshot>>;
}

const anObject = z.record(z.string(), z.unknown(), "Write an object: { … }.");
const fileSchema = z.strictObject({
  format: z.literal(SNAPSHOT_FORMAT),
  tools: z.record(
    z.string(),
    z.looseObject({
      annotations: z.optional(anObject),
      channels: z.optional(z.array(z.string())),
      result: z.optional(z.record(z.string(), z.string())),
    }),
  ),
});

const goodPurposes: ReadonlySet<string> = new Set(["given", "valid", "boundary", "page"]);

function goodResults({ calls }: ServerRecord, tool: string): readonly JsonObject[] {
  return calls.flatMap((call: CallRecord) => {
    if (call.tool !== tool || !goodPurposes.has(call.purpose) || call.reply.kind !== "result") return [];
    return call.reply.result["isError"] === true ? [] : [call.reply.result];
  });
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? (content as readonly JsonValue[]).filter(isJsonObject) : [];
}

/** The part of a result that a program reads: its structure, or a text that is JSON; undefined for prose. */
function valueOf(result: JsonObject): JsonValue | undefined {
  if (result["structuredContent"] !== undefined) return result["structuredContent"];
  const text = blocksOf(result).find(({ type }) => type === "text")?.["text"];
  return typeof text === "string" && /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
}

function channelsOf(result: JsonObject): readonly string[] {
  const kinds = blocksOf(result).flatMap(({ type }) => (typeof type === "string" ? [type] : []));
  return result["structuredContent"] === undefined ? kinds : ["structured", ...kinds];
}

function snapshotOf(definition: JsonObject, results: readonly JsonObject[]): ToolSnapshot {
  const { description, annotations, inputSchema, outputSchema } = definition;
  const values = results.map(valueOf).filter((value) => value !== undefined);
  return {
    description: typeof description === "string" ? description : undefined,
    annotations: isJsonObject(annotations) ? annotations : undefined,
    inputSchema,
    outputSchema,
    channels: results.length === 0 ? undefined : [...new Set(results.flatMap(channelsOf))].sort(),
    // If only some results can be parsed, their shape says nothing about the others.
    result: values.length > 0 && values.length === results.length ? shapeOf(values) : undefined,
  };
}

/** What a check saw, as a snapshot. */
export function takeSnapshot(record: ServerRecord): ContractSnapshot {
  const tools: Record<string, ToolSnapshot> = {};
  const sorted = record.tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, definition } of sorted)
    setOwn(tools, name, snapshotOf(definition, goodResults(record, name)));
  return { format: SNAPSHOT_FORMAT, tools };
}

export function writeSnapshot(snapshot: ContractSnapshot): string {
  return `${JSON.stringify(snapshot, null, 2)}\n`;
}

/** The snapshot of a file's text; a ContractError says what is wrong with it. */
export function readSnapshot(json: string): ContractSnapshot {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refuseOptions("snapshot", [{ path: [], part: "value", message: `The snapshot is no JSON: ${reason}.` }]);
  }
  checkOptions("snapshot", fileSchema, value, "The snapshot");
  return value as ContractSnapshot;
}

// The shape of results, without their values: which types occur at which place, and whether they always occur.

/** Type by place, as in `"/items": "array"` or `"/next": "string?"`; `?` means not in every result, `*` any item. */
type ResultShape = Readonly<Record<string, string>>;

const MAX_PLACES = 500;
const MAX_DEPTH = 12;
const MAX_ITEMS = 50;
/** An object with more keys is treated as a table by name: its keys are data, like indexes in a list. */
const MAX_KEYS = 40;

interface Place {
  readonly types: Set<string>;
  /** How often the place was seen; compared with how often its holder was seen. */
  seen: number;
  readonly holder: string;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // An integer may become a fraction in a later result, so both count as numbers.
  return typeof value;
}

function childrenOf(value: JsonValue): readonly (readonly [key: string, child: JsonValue])[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: JsonValue) => ["*", item] as const);
  if (!isJsonObject(value)) return [];
  const pairs = Object.entries(value);
  if (pairs.length <= MAX_KEYS) return pairs;
  return pairs.slice(0, MAX_ITEMS).map(([, child]) => ["*", child] as const);
}

/** The common shape of all values. */
function shapeOf(values: readonly JsonValue[]): ResultShape {
  const places = new Map<string, Place>();
  const add = (value: JsonValue, at: string, holder: string, depth: number): void => {
    const place = places.get(at) ?? { types: new Set<string>(), seen: 0, holder };
    if (!places.has(at) && places.size >= MAX_PLACES) return;
    place.types.add(typeOf(value));
    place.seen += 1;
    places.set(at, place);
    if (depth === MAX_DEPTH) return;
    for (const [key, child] of childrenOf(value)) add(child, appendPointer(at, key), at, depth + 1);
  };
  for (const value of values) add(value, "", "", 0);
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([at, { types, seen, holder }]) => {
      const isItem = at.endsWith("/*");
      const isAlways = isItem || seen >= (at === "" ? values.length : (places.get(holder)?.seen ?? 0));
      return [at, [...types].sort().join("|") + (isAlways ? "" : "?")];
    }),
  );
}

/** What a change of shape means to readers of results. */
export function compareShapes(
  before: ResultShape,
  after: ResultShape,
): readonly { readonly kind: "breaking" | "harmless"; readonly path: string; readonly message: string }[] {
  const has = (shape: ResultShape, at: string): boolean => Object.hasOwn(shape, at);
  const holderOf = (at: string): string => at.slice(0, at.lastIndexOf("/"));
  const gone = Object.keys(before).filter(
    (at) => !has(after, at) && has(after, holderOf(at)) && !isEmptyList(after, at),
  );
  const fresh = Object.keys(after).filter(
    (at) => !has(before, at) && has(before, holderOf(at)) && !isEmptyList(before, at),
  );
  const both = Object.keys(before).filter((at) => has(after, at) && before[at] !== after[at]);
  return [
    ...gone.map((path) => ({
      kind: before[path]?.endsWith("?") === true ? ("harmless" as const) : ("breaking" as const),
      path,
      message:
        before[path]?.endsWith("?") === true ? "is in no result any more" : "was in every result and is gone",
    })),
    ...both.flatMap((path) => compareTypes(path, before[path] ?? "", after[path] ?? "")),
    ...fresh.map((path) => ({ kind: "harmless" as const, path, message: "is new in results" })),
  ];
}

/** The items of an empty list are unknown. */
function isEmptyList(shape: ResultShape, at: string): boolean {
  const list = at.indexOf("/*");
  return list !== -1 && !Object.hasOwn(shape, at.slice(0, list + 2));
}

function compareTypes(path: string, before: string, after: string) {
  const typesOf = (text: string): ReadonlySet<string> => new Set(text.replace("?", "").split("|"));
  const [old, now] = [typesOf(before), typesOf(after)];
  const added = [...now].filter((type) => !old.has(type));
  const words = (text: string): string => text.replace("?", "").replaceAll("|", " or ");
  if (added.length > 0)
    return [{ kind: "breaking" as const, path, message: `was ${words(before)} and is ${words(after)} now` }];
  if (after.endsWith("?") && !before.endsWith("?"))
    return [{ kind: "breaking" as const, path, message: "was in every result and is missing in some" }];
  return [];
}
