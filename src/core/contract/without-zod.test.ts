import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reservedMetaKeys } from "./read-meta.ts";
import { metaSchema, upgradeHintSchema } from "./meta.ts";
import { isUpgradeHint } from "./outcome.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

describe("what readers know without Zod", () => {
  it("is every key of meta, in the schema's order", () => {
    expect(reservedMetaKeys).toEqual(Object.keys(metaSchema.shape));
  });

  it("is an upgrade hint exactly when the schema says so", () => {
    const word = fc.oneof(fc.constantFrom("", "pro"), fc.jsonValue());
    const hint = fc.record({ feature: word, tier: word, reason: word }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(hint, fc.jsonValue()), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Parameters<typeof isUpgradeHint>[0];
        expect(isUpgradeHint(json)).toBe(upgradeHintSchema.safeParse(json).success);
      }),
      lawRuns(1_000),
    );
  });
});
