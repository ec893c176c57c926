import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { TestArchive, arrivalOf, contextWith } from "../pipeline/fit/fit-bench.fixture.ts";
import { partOf } from "../pipeline/parcel.ts";
import { runStages } from "../pipeline/pipeline.ts";
import { accepts, anySpec, clientOptions, judges } from "./any-spec.fixture.ts";
import { readElasticity } from "./payload.ts";
import { advertiseOutput } from "./envelope-schema.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const remark = "It passed the gate. ".repeat(300);

const gates = times(40, (at) => `gate ${at} ${"was open ".repeat(30)}`);

/** Values too large for any budget here, with the schemas that a cut at will would break. */
const longOnes: readonly { readonly schema: JsonObject; readonly value: JsonValue }[] = [
  { schema: { type: "string" }, value: remark },
  { schema: { type: "string", maxLength: 9_000 }, value: remark },
  { schema: { type: "string", minLength: 6_000 }, value: remark },
  { schema: { type: "string", pattern: "\\. !$" }, value: `${remark}!` },
  { schema: { enum: ["short", remark] }, value: remark },
  { schema: { anyOf: [{ const: remark }, { type: "integer" }] }, value: remark },
  {
    schema: { type: "array", prefixItems: gates.map((_, at) => ({ type: at % 2 ? "string" : "integer" })) },
    value: gates.map((gate, at) => (at % 2 ? gate : at)),
  },
  { schema: { type: "array", items: { enum: gates }, uniqueItems: true }, value: gates },
];

const cases = anySpec.chain((spec) =>
  fc.record({
    spec: fc.constant(spec),
    items: fc.array(
      spec.instance.map(({ value }) => value),
      { minLength: 1, maxLength: 4 },
    ),
    copies: fc.constantFrom(1, 30, 200),
    tokens: fc.integer({ min: 256, max: 900 }),
    form: fc.constantFrom("list", "field", "deep", "bare"),
    long: fc.constantFrom(...longOnes),
    strategy: fc.constantFrom("head" as const, "relevance" as const),
  }),
);
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The schema alone, below a list, or below a list beside a large value of its own kind, at two depths. */
function wholeOf({ form, spec, items, copies, long }: Case) {
  const list = times(copies, () => items).flat();
  const lists = { type: "array", items: spec.schema, minItems: 1 };
  if (form === "bare") return { schema: spec.schema, value: items[0] ?? null };
  if (form === "list") return { schema: lists, value: list };
  const beside = { schema: closed({ list: lists, long: long.schema }), value: { list, long: long.value } };
  if (form === "field") return beside;
  return {
    schema: closed({ deep: { anyOf: [beside.schema, { type: "null" }] }, at: { type: "integer" } }),
    value: { deep: beside.value, at: 1 },
  };
}

describe("a cut by the elasticity of a tool's schema", () => {
  it("conforms to what tools/list advertises for that schema", async () => {
    const levels = new Map<string, number>();
    const law = fc.asyncProperty(cases, async (one) => {
      const { schema, value } = wholeOf(one);
      const own = { ...schema, $defs: one.spec.defs };
      fc.pre(accepts(new Ajv2020(clientOptions), own, value));
      const archive = new TestArchive();
      const fit = { elasticity: () => readElasticity(own), strategy: one.strategy, query: "gate 7 8 21" };
      const context = contextWith({ tokens: one.tokens, archive, fit });
      const parcel = await runStages(arrivalOf(value), context);
      const { structuredContent = {} } = partOf(parcel, "result");
      const advertised = advertiseOutput(own, { dialects: ["response-v2"] }) ?? {};
      for (const ajv of judges) expect(accepts(ajv, advertised, structuredContent)).toBe(true);
      const level = partOf(parcel, "outcome").notes.fidelity?.level ?? "full";
      levels.set(level, (levels.get(level) ?? 0) + 1);
    });
    const runs = lawRuns(2_000);
    await fc.assert(law, runs);
    expect(levels.get("partial")).toBeGreaterThan(runs.numRuns / 10);
  });
});
