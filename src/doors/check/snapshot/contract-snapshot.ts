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
import { type ResultShape, shapeOf } from "./result-shape.ts";

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
