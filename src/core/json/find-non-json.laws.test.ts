import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNonJson } from "./find-non-json.ts";
import { jsonEqual } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";
import { parsePointer } from "./pointer.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

function follow(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of parsePointer(pointer)) current = (current as Record<string, unknown>)[key];
  return current;
}

describe("findNonJson", () => {
  it("finds nothing in JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(findNonJson(value)).toBeUndefined();
      }),
      lawRuns(2_000),
    );
  });

  it("finds nothing only in values that survive JSON.stringify", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        if (findNonJson(value) !== undefined) return;
        const copy = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(jsonEqual(copy, value as JsonValue)).toBe(true);
      }),
      lawRuns(5_000),
    );
  });

  it("points at the part that it reports", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true }), (value) => {
        const found = findNonJson(value);
        if (found === undefined || found.reason !== "bigint") return;
        expect(typeof follow(value, found.pointer)).toBe("bigint");
      }),
      lawRuns(5_000),
    );
  });
});
