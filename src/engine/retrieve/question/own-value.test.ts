import { describe, expect, it } from "vitest";
import { wrapData } from "../../../core/contract/envelope.ts";
import { ownValue } from "./own-value.ts";

describe("ownValue", () => {
  it.each([[[1, 2]], ["text"], [0], [false]])("takes the wrapper off %j", (value) => {
    expect(ownValue(wrapData(value))).toEqual(value);
    expect(ownValue(value)).toEqual(value);
  });

  it.each([[{ result: { a: 1 } }], [{ result: [1], more: 2 }], [{ a: 1 }], [{}], [null]])(
    "leaves %j, which was not wrapped",
    (value) => {
      expect(ownValue(value)).toBe(value);
    },
  );
});
