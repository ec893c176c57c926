import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberLoss } from "./scan-json.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

/** The exact value times 10^1000. */
function exact(token: string): bigint {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(1_000 + Number(exponent) - fraction.length);
}

const digits = fc.string({
  unit: fc.constantFrom(..."0 1 2 3 4 5 6 7 8 9".split(" ")),
  minLength: 1,
  maxLength: 22,
});
const token = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 22n }),
    digits,
    fc.integer({ min: -350, max: 280 }),
  )
  .chain(([sign, whole, fraction, exponent]) =>
    fc.constantFrom(
      `${sign}${whole}`,
      `${sign}${whole}.${fraction}`,
      `${sign}${whole}.${fraction}e${exponent}`,
    ),
  );

describe("numberLoss", () => {
  it("agrees with exact arithmetic on what is written back", () => {
    fc.assert(
      fc.property(token, (text) => {
        expect(numberLoss(text) === undefined).toBe(exact(text) === exact(String(Number(text))));
      }),
      lawRuns(5_000),
    );
  });

  it("lets pass every number that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(numberLoss(JSON.stringify(value))).toBeUndefined();
      }),
      lawRuns(2_000),
    );
  });
});
