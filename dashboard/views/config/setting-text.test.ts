import { describe, expect, it } from "vitest";
import { readSetting, writeSetting } from "./setting-text.ts";

const tokens = { kind: "number", min: 256, max: 1_000_000, canBeOff: true } as const;

describe("readSetting", () => {
  it("takes numbers with commas, and off where that is a value", () => {
    expect(readSetting(tokens, " 8,000 ")).toEqual({ value: 8_000 });
    expect(readSetting(tokens, "off")).toEqual({ value: "off" });
    expect(readSetting({ ...tokens, canBeOff: false }, "off")).toEqual({ says: "Give a number." });
  });

  it("says which limit is broken", () => {
    expect(readSetting(tokens, "255")).toEqual({ says: "Give at least 256." });
    expect(readSetting(tokens, "2000000")).toEqual({ says: "Give at most 1,000,000." });
    expect(readSetting(tokens, "")).toEqual({ says: "Give a number, or off." });
  });

  it("takes fields by lines and commas, and one of the choices", () => {
    expect(readSetting({ kind: "fields" }, "items[*].id, name\n\ntotal")).toEqual({
      value: ["items[*].id", "name", "total"],
    });
    expect(readSetting({ kind: "choice", choices: ["minimal", "full"] }, "ful")).toEqual({
      says: "Choose one of minimal, full.",
    });
  });

  it("reads back what it writes", () => {
    expect(readSetting({ kind: "fields" }, writeSetting(["a", "b"]))).toEqual({ value: ["a", "b"] });
    expect(readSetting(tokens, writeSetting(4_000))).toEqual({ value: 4_000 });
    expect(writeSetting(true)).toBe("true");
    expect(writeSetting(null)).toBe("");
  });
});
