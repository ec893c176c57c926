import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepts, anySpec, clientOptions, judges } from "./any-spec.fixture.ts";
import { readPayload } from "./payload.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

describe("Open(T)", () => {
  it("accepts every instance of T, whole and cut", () => {
    const cases = anySpec.chain((spec) => spec.instance.map((instance) => ({ spec, instance })));
    let cuts = 0;
    const law = fc.property(cases, ({ spec, instance: { value, cut } }) => {
      const own = { ...spec.schema, $defs: spec.defs };
      fc.pre(accepts(new Ajv2020(clientOptions), own, value));
      const { schema, defs } = readPayload(own, { tables: false, onNote: () => {} });
      const open = { ...schema, $defs: defs };
      for (const ajv of judges) {
        expect(accepts(ajv, open, value)).toBe(true);
        expect(accepts(ajv, open, cut)).toBe(true);
      }
      if (JSON.stringify(value) !== JSON.stringify(cut)) cuts += 1;
    });
    const runs = lawRuns(1_000);
    fc.assert(law, runs);
    expect(cuts).toBeGreaterThan(runs.numRuns / 10);
  });
});
