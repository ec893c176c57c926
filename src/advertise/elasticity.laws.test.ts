import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { TestArchive, arrivalOf, contextWith } from "../pipeline/fit/fit-bench.fixture.ts";
import { partOf } from "../pipeline/parcel.ts";
import { runStages } from "../pipeline/pipeline.ts";
import { accepts, anySpec, clientOptions, judges } from "./any-spec.fixture.ts";
import { readElasticity } from "./elasticity.ts";
import { advertiseOutput } from "./envelope-schema.ts";

/** Enough of a schema's instances to be far over the budget, each in its place. */
const cases = anySpec.chain((spec) =>
  fc.record({
    spec: fc.constant(spec),
    items: fc.array(
      spec.instance.map(({ value }) => value),
      { minLength: 1, maxLength: 4 },
    ),
    copies: fc.constantFrom(1, 40, 400),
    tokens: fc.integer({ min: 256, max: 900 }),
    form: fc.constantFrom("list", "field", "bare"),
  }),
);

/** The schema under test alone, below a list, or below a list in a closed object beside a long text. */
function wholeOf(form: string, schema: JsonObject, items: readonly JsonValue[], copies: number) {
  const list = Array.from({ length: copies }, () => items).flat();
  if (form === "bare") return { schema, value: items[0] ?? null };
  const lists = { type: "array", items: schema, minItems: 1 };
  if (form === "list") return { schema: lists, value: list };
  return {
    schema: {
      type: "object",
      properties: { list: lists, note: { type: "string" } },
      required: ["list", "note"],
      additionalProperties: false,
    },
    value: { list, note: "A long remark. ".repeat(copies) },
  };
}

describe("a cut by the elasticity of a tool's schema", () => {
  it("conforms to what tools/list advertises for that schema", { timeout: 120_000 }, async () => {
    const levels = new Map<string, number>();
    const law = fc.asyncProperty(cases, async ({ spec, items, copies, tokens, form }) => {
      const { schema, value } = wholeOf(form, spec.schema, items, copies);
      const own = { ...schema, $defs: spec.defs };
      fc.pre(accepts(new Ajv2020(clientOptions), own, value));
      const archive = new TestArchive();
      const context = contextWith({ tokens, archive, fit: { elasticity: () => readElasticity(own) } });
      const parcel = await runStages(arrivalOf(value), context);
      const { structuredContent = {} } = partOf(parcel, "result");
      const advertised = advertiseOutput(own, { dialects: ["response-v2"] }) ?? {};
      for (const ajv of judges) expect(accepts(ajv, advertised, structuredContent as JsonObject)).toBe(true);
      const level = partOf(parcel, "outcome").notes.fidelity?.level ?? "full";
      levels.set(level, (levels.get(level) ?? 0) + 1);
    });
    await fc.assert(law, { numRuns: 2_000 });
    expect(levels.get("partial")).toBeGreaterThan(200);
  });
});
