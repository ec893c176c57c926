import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { judgeTexts } from "../../schema/judge-value.ts";
import { planArguments } from "./plan-arguments.ts";

const leaf = fc.oneof(
  fc.record({ type: fc.constant("string"), minLength: fc.nat(4) }),
  fc.record({ type: fc.constant("string"), format: fc.constantFrom("date", "uuid", "email", "uri", "odd") }),
  fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant("number"), maximum: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 }) }),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: ["null", "string"] }),
  fc.constant({ type: "array", items: { type: "string" } }),
  // Nonsense too: a server may list anything.
  fc.jsonValue(),
);

const objectSchema = fc
  .tuple(fc.dictionary(fc.string(), leaf, { maxKeys: 4 }), fc.boolean())
  .map(([properties, isClosed]) => ({
    type: "object",
    properties,
    required: Object.keys(properties).slice(0, 2),
    ...(isClosed ? { additionalProperties: false } : {}),
  }));

describe("planArguments", () => {
  it("never throws, and calls valid only what the schema allows, invalid only what it does not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(objectSchema, fc.jsonValue()), fc.nat(), async (inputSchema, seed) => {
        const validate = async (schema: JsonValue, value: JsonValue) =>
          judgeTexts(JSON.stringify(schema), JSON.stringify(value));
        const options = { name: "t", given: [], mayMake: true, maxCalls: 11, validate };
        const schema = inputSchema as JsonValue;
        const { calls, problem } = await planArguments({ ...options, inputSchema: schema, seed });
        expect(calls.length > 0).toBe(problem === undefined);
        for (const { purpose, arguments: args } of calls) {
          const isObject = typeof schema === "object" && schema !== null && !Array.isArray(schema);
          const { errors } = await validate(isObject ? schema : { type: "object" }, args);
          expect(errors.length === 0).toBe(purpose !== "invalid");
        }
      }),
      lawRuns(1_000, 60),
    );
  });
});
