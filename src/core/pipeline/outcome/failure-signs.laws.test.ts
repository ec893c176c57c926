import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { readCorpus, resultOf } from "../../../../test/corpus/error-corpus.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { mayNeedReading } from "./failure-signs.ts";
import { fromResult } from "./from-result.ts";

const keys = fc.constantFrom(
  ..."success ok error errors isError status statusCode status_code code message detail object kind data meta result items id".split(
    " ",
  ),
);
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    true,
    false,
    null,
    "",
    "error",
    "Failure",
    "Status",
    "Not found",
    "none",
    404,
    "404",
    0,
    [],
    {},
  ),
  fc.constantFrom<JsonValue>(
    [{ message: "no" }],
    { message: "no", code: "NOT_FOUND" },
    { version: "response-v2" },
  ),
  fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
);
const plain: fc.Arbitrary<JsonObject> = fc.dictionary(keys, values, { maxKeys: 5 });
/** The same inside something else, twice at most. */
const nest = (inside: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 3, arbitrary: inside },
    inside.map((execution_result) => ({ execution_result })),
    fc.array(inside, { maxLength: 3 }).map((results) => ({ results })),
    fc
      .tuple(fc.array(inside, { maxLength: 3 }), plain)
      .map(([results, beside]) => ({ ...beside, results: [...results, { title: "x" }] })),
    fc.dictionary(fc.constantFrom("/a.md", "b/c.md", "https://a/b", "d"), inside, { maxKeys: 3 }),
    fc.record({
      content: inside.map((each) => [{ type: "text", text: JSON.stringify(each) }]),
      isError: fc.boolean(),
    }),
  );
const objects: fc.Arbitrary<JsonObject> = nest(nest(plain));
const words = fc.constantFrom(
  "Error: no such file",
  "error executing tool x: gone",
  "Error executing tool x: gone",
  "MCP error -32603: gone",
  "An ordinary text",
  " {",
  "Failed to fetch",
  "Failed to fetch the page",
  "Lookup failed: no such city",
  "❌ ENOENT: no such file",
  "查询失败: 网络错误",
  "# Search failed\n\nError searching for x: gone",
  '{"result": "Error: no such city"}',
  "[1, 2]",
);
const texts = fc.oneof(
  words,
  objects.map((object) => JSON.stringify(object)),
  objects.map((object) => `\n ${JSON.stringify(object, undefined, 2)}`),
);
const results: fc.Arbitrary<JsonObject> = fc.record(
  {
    content: fc.array(
      texts.map((text) => ({ type: "text", text })),
      { maxLength: 2 },
    ),
    structuredContent: fc.oneof(
      objects,
      objects.map((result) => ({ result })),
    ),
    isError: fc.boolean(),
  },
  { requiredKeys: ["content"] },
);

describe("mayNeedReading", () => {
  it("is true of everything that would be read as a failure, noted, or taken for an envelope", () => {
    fc.assert(
      fc.property(results, fc.boolean(), (result, isTyped) => {
        const { outcome } = fromResult(result, { isTyped });
        const isPlain = outcome.ok && Object.values(outcome.notes).every((note) => note === undefined);
        expect(isPlain || mayNeedReading(result)).toBe(true);
      }),
      lawRuns(1_000),
    );
  });

  it("is true of every failure of the corpus that is a failure to us", () => {
    const missed = readCorpus("tuning")
      .flatMap(({ rows }) => rows.map(resultOf))
      .filter((result) => !fromResult(result).outcome.ok && !mayNeedReading(result));
    expect(missed).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["a text", { content: [{ type: "text", text: "The error was found on line 3" }] }],
    ["a list", { content: [{ type: "text", text: '[{"error": "x"}]' }] }],
    [
      "an object",
      { content: [{ type: "text", text: '{"error": null, "errors": [], "success": true, "a": 1}' }] },
    ],
    ["a structure", { content: [], structuredContent: { items: [{ error: "x" }], error: null, ok: true } }],
    ["an image", { content: [{ type: "image", data: "eHg=", mimeType: "image/png" }] }],
  ])("is false of an ordinary success: %s", (_name, result) => {
    expect(mayNeedReading(result)).toBe(false);
  });

  it("is true of an envelope and of a result that names its contract", () => {
    const envelope = { success: true, data: {}, error: null, meta: { version: "response-v2" } };
    expect(mayNeedReading({ content: [], structuredContent: envelope })).toBe(true);
    expect(mayNeedReading({ content: [{ type: "text", text: JSON.stringify(envelope) }] })).toBe(true);
    expect(mayNeedReading({ content: [], _meta: { "waybill/contract": { dialect: "plain" } } })).toBe(true);
  });
});
