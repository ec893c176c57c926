import { describe, expect, it } from "vitest";
import { spanMs, spanProblem } from "./span.ts";

describe("a length of time", () => {
  it.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["15m", 900_000],
    ["12h", 43_200_000],
    ["1d", 86_400_000],
    ["2w", 1_209_600_000],
    [" 1d ", 86_400_000],
  ])("%s is %i ms", (text, ms) => expect(spanMs(text)).toBe(ms));

  it.each(["", "1", "d", "0s", "-1d", "1.5h", "1 d", "1D", "1y", "9999999999d", "1d2h"])(
    "%j is none",
    (text) => expect(spanMs(text)).toBeUndefined(),
  );

  it("has limits, and a word for none at all where it may be off", () => {
    const range = { min: "1s", max: "1d" } as const;
    expect(spanProblem("1s", range)).toBeUndefined();
    expect(spanProblem("24h", range)).toBeUndefined();
    expect(spanProblem("999ms", range)).toContain("from 1s to 1d.");
    expect(spanProblem("2d", range)).toContain("from 1s to 1d.");
    expect(spanProblem("off", range)).not.toBeUndefined();
    expect(spanProblem("off", { ...range, off: true })).toBeUndefined();
    expect(spanProblem("soon", { ...range, off: true })).toMatch(/, or "off"\.$/);
  });
});
