import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEqual, stableStringify } from "./canonical-json.ts";
import { type JsonValue, isJsonObject, setOwn } from "./json-value.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).toReversed()) setOwn(copy, key, reversed(value[key] ?? null));
  return copy;
}

describe("jsonEqual and stableStringify", () => {
  it("call a value equal to its copy with keys in reverse, and write both the same", () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = reversed(value);
        expect(jsonEqual(value, copy)).toBe(true);
        expect(stableStringify(value)).toBe(stableStringify(copy));
      }),
      lawRuns(2_000),
    );
  });

  it("agree with each other on any pair", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(jsonEqual(a, b)).toBe(stableStringify(a) === stableStringify(b));
      }),
      lawRuns(2_000),
    );
  });

  it("keep the value through a parse", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonEqual(JSON.parse(stableStringify(value)) as JsonValue, value)).toBe(true);
      }),
      lawRuns(2_000),
    );
  });
});
