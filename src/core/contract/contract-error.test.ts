import { describe, expect, it } from "vitest";
import { assertNumber } from "./contract-error.ts";

describe("assertNumber", () => {
  it("takes both ends of the range", () => {
    expect(() => assertNumber("share", 0, { min: 0, max: 1 })).not.toThrow();
    expect(() => assertNumber("share", 1, { min: 0, max: 1 })).not.toThrow();
  });

  it.each([
    [-1, { min: 0 }, "size is -1: give a number of at least 0."],
    [Number.POSITIVE_INFINITY, { min: 0 }, "size is Infinity: give a number of at least 0."],
    [2 ** 53, { min: 0, whole: true }, "size is 9007199254740992: give a whole number of at least 0."],
    ["7" as unknown as number, { min: 0, max: 9 }, "size is 7: give a number from 0 to 9."],
  ])("refuses %s", (value, range, message) => {
    expect(() => assertNumber("size", value, range)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message }),
    );
  });
});
