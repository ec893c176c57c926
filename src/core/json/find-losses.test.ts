import { describe, expect, it } from "vitest";
import { numberLoss } from "./scan-json.ts";

describe("numberLoss", () => {
  it.each([
    ["0", "-0", "1.0", "1e2", "100e-2", "0.10", "1E+2", "-0.0e5", "0e999999999999999999999"],
    ["9007199254740991", "9007199254740992", "0.30000000000000004", "1.7976931348623157e308", "5e-324"],
    ["100000000000000000000000", "1e23", "123456789012345680000", "1e0000000000000000000000000002"],
  ])("lets pass what a double writes back: %s, …", (...tokens) => {
    for (const token of tokens) expect(numberLoss(token)).toBeUndefined();
  });

  it.each(["12345678901234567890", "9007199254740993", "0.1234567890123456789012", "1e-400", "4.9e-324"])(
    "reports that %s changes",
    (token) => {
      expect(numberLoss(token)).toBe("number-precision");
    },
  );

  it.each(["1e400", "-1e400", "1e99999999999999999999", "9".repeat(400)])(
    "reports that %s overflows",
    (token) => {
      expect(numberLoss(token)).toBe("number-range");
    },
  );
});
