import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { canTakeSelect, withSelect } from "./input-schema.ts";

const names = fc.constantFrom("a", "b", "_waybill_select");
const leaf = fc.constantFrom<JsonObject>({}, { type: "string" }, { type: "number" });
const closing = fc.constantFrom<JsonValue>(true, false, { type: "number" });

/** One keyword with its value. */
function keyword(key: string, values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return values.map((value) => ({ [key]: value }));
}

const flat = [
  keyword("properties", fc.dictionary(names, leaf, { maxKeys: 2 })),
  keyword("required", fc.subarray(["a", "b"])),
  keyword("additionalProperties", closing),
  keyword("unevaluatedProperties", closing),
  keyword("maxProperties", fc.integer({ min: 1, max: 3 })),
  keyword("propertyNames", fc.constantFrom({ maxLength: 3 }, { maxLength: 30 })),
  keyword("patternProperties", fc.constant({ "^_": { type: "number" } })),
];

/** Objects as tools describe their input, with everything that could refuse one more argument. */
function schemasOf(depth: number): fc.Arbitrary<JsonObject> {
  const below = depth === 0 ? undefined : schemasOf(depth - 1);
  const branches = below && fc.array(below, { minLength: 1, maxLength: 2 });
  const nested =
    below === undefined || branches === undefined
      ? []
      : [
          ...["allOf", "anyOf", "oneOf"].map((key) => keyword(key, branches)),
          ...["not", "if", "then", "else"].map((key) => keyword(key, below)),
        ];
  const parts = fc.array(fc.oneof(...flat, ...nested), { maxLength: 3 });
  return parts.map((list) => Object.assign({}, ...list) as JsonObject);
}

const args = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom<JsonValue>("x", 1), {
  maxKeys: 3,
});

describe("an input that takes _waybill_select", () => {
  it("accepts with it exactly the arguments that it accepts without it", () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
    let taken = 0;
    const law = fc.property(schemasOf(2), args, (schema, given) => {
      const own = { type: "object", ...schema };
      if (!canTakeSelect(own)) return;
      taken += 1;
      const judge = (input: JsonObject, value: JsonObject): unknown => ajv.compile(input)(value);
      const before = judge(own, given);
      expect(judge(withSelect(own), given)).toBe(before);
      expect(judge(withSelect(own), { ...given, _waybill_select: "length(@)" })).toBe(before);
    });
    const runs = lawRuns(1_000);
    fc.assert(law, runs);
    expect(taken).toBeGreaterThan(runs.numRuns / 10);
  });
});
