import { describe, expect, it } from "vitest";
import { figuresFor, wayNames } from "./recorded-figures.ts";
import { hasRecorded, isRecordedRequired } from "./recorded-results.ts";

if (!hasRecorded) process.stderr.write("recorded.test: no ../shared/data/results; nothing is measured\n");

describe.runIf(hasRecorded).each([
  ["results that rules may be written for", false],
  ["results of servers and tools that no rule was written for", true],
] as const)("%s", (_name, isHeldOut) => {
  it.each(wayNames)("are read %s, and never invite a retry in vain", (way) => {
    const { recall, precision, falseInvitations } = figuresFor(isHeldOut, way);
    expect(precision).toBeGreaterThanOrEqual(0.99);
    expect(falseInvitations).toEqual([]);
    // Without the mark only words are left.
    expect(recall).toBeGreaterThanOrEqual(way === "without its mark" ? 0.75 : 0.85);
  });
});

describe("the recorded results", () => {
  it("are there where they are required", () => {
    expect(hasRecorded || !isRecordedRequired).toBe(true);
  });
});
