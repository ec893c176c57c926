import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonChunks, jsonLengthAtLeast } from "./json-chunks.ts";
import type { JsonValue } from "./json-value.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const anyJson = fc.oneof(
  fc.jsonValue({ stringUnit: "binary" }),
  fc.array(fc.record({ id: fc.nat(), name: fc.string({ unit: "binary" }) }), { maxLength: 30 }),
) as fc.Arbitrary<JsonValue>;

test("chunks join to the text of JSON.stringify, whatever their length", () => {
  fc.assert(
    fc.property(anyJson, fc.integer({ min: 1, max: 40 }), (value, length) => {
      expect([...jsonChunks(value, length)].join("")).toBe(JSON.stringify(value));
    }),
    lawRuns(5_000),
  );
});

test("the length is never above that of the text, and passes the limit only when the text does", () => {
  fc.assert(
    fc.property(anyJson, fc.nat({ max: 200 }), (value, limit) => {
      const text = JSON.stringify(value);
      const length = jsonLengthAtLeast(value, limit);
      expect(length <= limit || text.length > limit).toBe(true);
      const exact = jsonLengthAtLeast(value, text.length);
      expect(exact).toBeLessThanOrEqual(text.length);
      expect(length <= text.length || text.length > limit).toBe(true);
    }),
    lawRuns(5_000),
  );
});

test("keys that hold nothing are left out, as JSON.stringify leaves them out", () => {
  const value = { a: undefined, b: 1, c: undefined } as unknown as JsonValue;
  expect([...jsonChunks(value, 1)].join("")).toBe('{"b":1}');
});

test("a pair of surrogates is never split", () => {
  const text = "😀".repeat(50);
  expect([...jsonChunks(text, 3)].join("")).toBe(JSON.stringify(text));
});
