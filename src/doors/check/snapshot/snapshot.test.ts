import { describe, expect, it } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import type { CallRecord, ServerRecord } from "../../../core/rules/server-record.ts";
import { compareSchemas } from "./compare-snapshots.ts";
import { compareSnapshots } from "./compare-snapshots.ts";
import { readSnapshot, takeSnapshot, writeSnapshot } from "./contract-snapshot.ts";

interface Given {
  readonly definition?: JsonObject;
  readonly results?: readonly JsonObject[];
}

/** A record with these tools, as far as a snapshot reads it. */
function recordOf(tools: Readonly<Record<string, Given>>): ServerRecord {
  const calls: CallRecord[] = [];
  for (const [tool, { results = [] }] of Object.entries(tools))
    for (const result of results)
      calls.push({
        index: calls.length,
        tool,
        purpose: "valid",
        arguments: {},
        reply: { kind: "result", result },
        durationMs: 1,
        bytes: 1,
        tokens: { text: 1, structured: 1 },
      });
  return {
    target: "in memory",
    transport: "stdio",
    era: "legacy",
    protocolVersion: "2025-11-25",
    greeting: { kind: "result", result: {} },
    listings: [],
    tools: Object.entries(tools).map(([name, { definition = {} }]) => ({
      name,
      definition: { name, inputSchema: { type: "object" }, ...definition },
      tokens: 1,
      isReadOnly: true,
    })),
    calls,
    problems: [],
    messages: [],
    dialect: undefined,
    exchanges: [],
  };
}

/** What a later check says of a tool, as `breaking path: message`. */
function changes(before: Given, after: Given): readonly string[] {
  const [old, now] = [before, after].map((given) => takeSnapshot(recordOf({ t: given })));
  if (old === undefined || now === undefined) return [];
  return compareSnapshots(readSnapshot(writeSnapshot(old)), now).map(
    ({ kind, path, message }) => `${kind} ${path}: ${message}`,
  );
}

const structured = (value: JsonValue): JsonObject => ({ content: [], structuredContent: value });
const kinds = (before: JsonValue, after: JsonValue, direction: "input" | "output") =>
  compareSchemas(before, after, direction, "").map(({ kind, path }) => `${kind} ${path}`);

describe("a snapshot", () => {
  it("of the same server shows no change, and is the same text", () => {
    const given = { definition: { description: "d" }, results: [structured({ a: [1, { b: null }] })] };
    expect(changes(given, given)).toEqual([]);
    const text = writeSnapshot(takeSnapshot(recordOf({ b: given, a: given })));
    expect(text).toBe(writeSnapshot(takeSnapshot(recordOf({ a: given, b: given }))));
  });

  it("tells a tool that is gone from one that is new, breaking first", () => {
    const before = takeSnapshot(recordOf({ old: {}, both: {} }));
    const after = takeSnapshot(recordOf({ both: {}, fresh: {} }));
    expect(compareSnapshots(before, after)).toEqual([
      { tool: "old", kind: "breaking", path: "", message: "the tool is gone" },
      { tool: "fresh", kind: "harmless", path: "", message: "the tool is new" },
    ]);
  });

  it("keeps a tool of any name", () => {
    const before = readSnapshot(writeSnapshot(takeSnapshot(recordOf(JSON.parse('{"__proto__":{},"a":{}}')))));
    expect(compareSnapshots(before, takeSnapshot(recordOf({ a: {} }))).map(({ tool }) => tool)).toEqual([
      "__proto__",
    ]);
  });

  it("tells keys of results that are gone from new ones, and types that changed", () => {
    expect(
      changes(
        { results: [structured({ id: 1, name: "a", note: "x" }), structured({ id: 2, name: "b" })] },
        { results: [structured({ id: "1", more: true })] },
      ),
    ).toEqual([
      "breaking result/name: was in every result and is gone",
      "breaking result/id: was number and is string now",
      "harmless result/note: is in no result any more",
      "harmless result/more: is new in results",
    ]);
  });

  it("does not take an empty list, or a table by name, for a change", () => {
    expect(
      changes({ results: [structured({ items: [{ id: 1 }] })] }, { results: [structured({ items: [] })] }),
    ).toEqual([]);
    const table = (from: number) =>
      structured({
        byName: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${from + i}`, { size: i }])),
      });
    expect(changes({ results: [table(0)] }, { results: [table(500)] })).toEqual([]);
  });

  it("reads JSON in a text, and notices when structure is gone", () => {
    const text = (value: JsonValue): JsonObject => ({
      content: [{ type: "text", text: JSON.stringify(value) }],
    });
    expect(changes({ results: [text({ a: 1 })] }, { results: [text({ b: 1 })] })).toEqual([
      "breaking result/a: was in every result and is gone",
      "harmless result/b: is new in results",
    ]);
    expect(changes({ results: [structured({ a: 1 })] }, { results: [text({ a: 1 })] })).toEqual([
      "breaking result: results have no structured content any more",
      "harmless result: results have text content too",
    ]);
  });

  it("says nothing of results where no call was good", () => {
    expect(
      changes({ results: [structured({ a: 1 })] }, { results: [{ content: [], isError: true }] }),
    ).toEqual([]);
  });

  it("takes a tool that becomes less harmless for a breaking change", () => {
    const hints = (annotations: JsonObject): Given => ({ definition: { annotations } });
    expect(changes(hints({ readOnlyHint: true }), hints({}))).toEqual([
      "breaking /annotations/readOnlyHint: was true and is false now",
    ]);
    expect(changes(hints({}), hints({ readOnlyHint: true, destructiveHint: false }))).toEqual([
      "harmless /annotations/readOnlyHint: was false and is true now",
      "harmless /annotations/destructiveHint: was true and is false now",
    ]);
  });

  it("is refused in words where it is wrong", () => {
    const complaint = (json: string): string => {
      try {
        readSnapshot(json);
      } catch (error) {
        if (ContractError.isInstance(error)) return error.message;
      }
      return "nothing";
    };
    expect(complaint("[")).toMatch(/^snapshot: The snapshot is no JSON/);
    expect(complaint('{"format":"waybill-check-baseline-1","tools":{}}')).toContain(
      "waybill-check-snapshot-1",
    );
    expect(complaint('{"format":"waybill-check-snapshot-1","tools":{"a":{"channels":1}}}')).toContain(
      "tools.a.channels",
    );
  });
});

describe("a changed schema", () => {
  const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}) => ({
    type: "object",
    properties,
    required,
    ...more,
  });

  it("breaks callers where it asks for more, and readers where it promises less", () => {
    const [less, more] = [object({ a: {} }), object({ a: {} }, ["a"])];
    expect(kinds(less, more, "input")).toEqual(["breaking /properties/a"]);
    expect(kinds(more, less, "input")).toEqual(["harmless /properties/a"]);
    expect(kinds(less, more, "output")).toEqual(["harmless /properties/a"]);
    expect(kinds(more, less, "output")).toEqual(["breaking /properties/a"]);
  });

  it("may take new optional arguments and give new keys, not lose them", () => {
    const [one, two] = [object({ a: {} }, ["a"]), object({ a: {}, b: {} }, ["a"])];
    expect(kinds(one, two, "input")).toEqual(["harmless /properties/b"]);
    expect(kinds(one, two, "output")).toEqual(["harmless /properties/b"]);
    expect(kinds(two, one, "input")).toEqual(["breaking /properties/b"]);
    expect(kinds(two, object({ b: {} }), "output")).toEqual(["breaking /properties/a"]);
    expect(kinds(one, object({ a: {}, b: {} }, ["a", "b"]), "input")).toEqual(["breaking /properties/b"]);
  });

  it.each([
    ["types", { type: ["string", "null"] }, { type: "string" }],
    ["whole numbers", { type: "number" }, { type: "integer" }],
    ["values", { enum: ["a", "b"] }, { enum: ["a"] }],
    ["a lower bound", { minimum: 1 }, { minimum: 2 }],
    ["an upper bound", {}, { maxLength: 5 }],
    ["a pattern", {}, { pattern: "^a" }],
  ])("is narrower or wider in %s", (_, wide, narrow) => {
    const kind = (before: JsonValue, after: JsonValue, direction: "input" | "output") =>
      compareSchemas(before, after, direction, "").map((change) => change.kind);
    expect(kind(wide, narrow, "input")).toEqual(["breaking"]);
    expect(kind(narrow, wide, "input")).toEqual(["harmless"]);
    expect(kind(wide, narrow, "output")).toEqual(["harmless"]);
    expect(kind(narrow, wide, "output")).toEqual(["breaking"]);
  });

  it("is compared inside items and behind references, once where it refers to itself", () => {
    const tree = (type: string) => ({
      $ref: "#/$defs/node",
      $defs: { node: object({ value: { type }, kids: { items: { $ref: "#/$defs/node" } } }) },
    });
    expect(kinds(tree("string"), tree("number"), "output")).toEqual([
      "harmless /properties/value/type",
      "breaking /properties/value/type",
    ]);
    expect(kinds({ items: { type: "string" } }, { items: { type: "number" } }, "input")).toEqual([
      "breaking /items/type",
      "harmless /items/type",
    ]);
  });

  it("counts as breaking where it cannot be judged, and as harmless where only words changed", () => {
    expect(kinds({ anyOf: [{}] }, { anyOf: [{}, {}] }, "input")).toEqual(["breaking /anyOf"]);
    expect(kinds({ $ref: "https://example.com/a" }, { $ref: "https://example.com/b" }, "input")).toEqual([
      "breaking ",
    ]);
    expect(kinds({ description: "a" }, { description: "b" }, "input")).toEqual(["harmless /description"]);
    expect(kinds(object({}), object({}, [], { additionalProperties: false }), "input")).toEqual([
      "breaking /additionalProperties",
    ]);
  });

  it("ends for schemas that refer to themselves in many ways", () => {
    const wild = (note: string): JsonObject =>
      object(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { $ref: "#", note }])));
    expect(compareSchemas(wild("a"), wild("b"), "input", "")).toEqual([]);
  });
});
