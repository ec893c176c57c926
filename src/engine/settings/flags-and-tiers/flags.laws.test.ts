import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineFlags, type FlagDefinition, flagReasons, flagBucket } from "./define-flags.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const client = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor", "\ud800"));
const percentage = fc.integer({ min: 0, max: 100 });
const clients = fc.uniqueArray(client, { maxLength: 4 });
const definition: fc.Arbitrary<FlagDefinition> = fc.record(
  {
    state: fc.constantFrom("experimental", "beta", "stable", "deprecated"),
    default: fc.boolean(),
    percentage,
    allow: clients,
    block: clients,
    requires: fc.constant(["other"]),
    expires: fc.constantFrom("2020-01-01", "2100-01-01"),
  },
  { requiredKeys: ["state", "default"] },
);

function rollout(share: number): FlagDefinition {
  return { state: "beta", default: false, percentage: share };
}

describe("flags", () => {
  test("answer for any client and any name without throwing, with a reason from the list", () =>
    fc.assert(
      fc.property(definition, definition, client, client, (flag, needed, who, name) => {
        const flags = defineFlags({ flag, other: { ...needed, requires: [] } });
        for (const asked of ["flag", name]) {
          const verdict = flags.evaluate(asked, { client: who });
          expect(typeof verdict.enabled).toBe("boolean");
          expect(flagReasons).toContain(verdict.reason);
        }
      }),
      runs,
    ));

  // shows 001.107
  test("never turn a client off when the percentage is raised", () =>
    fc.assert(
      fc.property(client, percentage, percentage, (who, one, two) => {
        const low = defineFlags({ flag: rollout(Math.min(one, two)) }).isEnabled("flag", { client: who });
        const high = defineFlags({ flag: rollout(Math.max(one, two)) }).isEnabled("flag", { client: who });
        expect(low && !high).toBe(false);
      }),
      runs,
    ));

  test("reach no client at 0 percent and every client at 100", () =>
    fc.assert(
      fc.property(client, (who) => {
        const flags = defineFlags({ none: rollout(0), all: rollout(100) });
        expect([flags.isEnabled("none", { client: who }), flags.isEnabled("all", { client: who })]).toEqual([
          false,
          true,
        ]);
      }),
      runs,
    ));

  test("give the same client the same answer every time", () =>
    fc.assert(
      fc.property(definition, client, (flag, who) => {
        const other: FlagDefinition = { state: "beta", default: true };
        const ask = (): unknown => defineFlags({ flag, other }).evaluate("flag", { client: who });
        expect(ask()).toEqual(ask());
      }),
      runs,
    ));

  test("are off for a blocked client, whatever else the definition allows", () =>
    fc.assert(
      fc.property(definition, client, (flag, who) => {
        const rest = { ...flag, expires: undefined, requires: undefined };
        const blocked = { ...rest, allow: [...(flag.allow ?? []), who], block: [...(flag.block ?? []), who] };
        expect(defineFlags({ flag: blocked }).evaluate("flag", { client: who })).toMatchObject({
          enabled: false,
          reason: "blocked",
        });
      }),
      runs,
    ));

  test.each([1, 10, 25, 50, 90])("reach about %d percent of 10,000 clients", (share) => {
    const flags = defineFlags({ flag: rollout(share) });
    const reached = Array.from({ length: 10_000 }, (_, index) => `client-${index}`).filter((who) =>
      flags.isEnabled("flag", { client: who }),
    );
    expect(Math.abs(reached.length / 100 - share)).toBeLessThan(2);
  });

  test("spread clients evenly over all buckets, and two flags independently", () => {
    const counts = Array.from({ length: 100 }, () => 0);
    let both = 0;
    for (let index = 0; index < 10_000; index++) {
      const bucket = flagBucket("one", `client-${index}`);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      if (bucket < 50 && flagBucket("two", `client-${index}`) < 50) both++;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
    // 99 degrees of freedom: 148 is passed once in a thousand.
    expect(chiSquare).toBeLessThan(148);
    expect(Math.abs(both / 100 - 25)).toBeLessThan(2);
  });
});
