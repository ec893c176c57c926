import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { readRange } from "../../../engine/retrieve/line-arguments.ts";
import { nextLines } from "./say-lines.ts";

type Run = readonly [number, number];

/** Gaps and the kept lines before each of them, from the first line on. */
const gaps = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((pairs) => {
    const runs: Run[] = [];
    let line = 0;
    for (const [kept, missing] of pairs) {
      runs.push([line + kept + 1, line + kept + missing]);
      line += kept + missing;
    }
    return { runs, total: line + 5 };
  });

describe("nextLines", () => {
  it("names up to three gaps one by one, and leaves out the end of the text", () => {
    expect(nextLines({ runs: [[4, 9]], total: 20 })).toEqual({ lines: "4-9", gaps: 1 });
    const runs: readonly Run[] = [
      [4, 9],
      [12, 12],
      [18, 20],
    ];
    expect(nextLines({ runs, total: 20 })).toEqual({ lines: "4-9,12,18-", gaps: 3 });
  });

  it("reads on behind the first of many gaps", () => {
    const runs = Array.from({ length: 50 }, (_, at): Run => [at * 10 + 3, at * 10 + 9]);
    expect(nextLines({ runs, total: 500 })).toEqual({ lines: "3-9,13-19,23-499", gaps: 50 });
  });

  it("does not read on where most lines were kept: gaps that are close to each other are one range", () => {
    const runs: readonly Run[] = [
      [3, 6],
      [8, 9],
      [300, 301],
      [303, 304],
      [900, 902],
      [2_000, 2_001],
    ];
    expect(nextLines({ runs, total: 4_000 })).toEqual({ lines: "3-9,300-304,900-902", gaps: 5 });
  });

  it("names fewer ranges where their numbers are long", () => {
    const runs: readonly Run[] = [
      [1_000_001, 1_000_004],
      [2_000_001, 2_000_003],
      [3_000_001, 3_000_004],
      [4_000_001, 4_000_004],
    ];
    expect(nextLines({ runs, total: 9_000_000 })).toEqual({ lines: "1000001-1000004", gaps: 1 });
  });

  it("law: the ranges begin with the first missing line, and hold as many gaps as they say, at most half of them kept lines", () => {
    fc.assert(
      fc.property(gaps, (missing) => {
        const { lines, gaps: held } = nextLines(missing);
        const range = readRange({ lines });
        const spans = range === undefined || "last" in range ? [] : range.spans;
        expect(spans[0]?.from).toBe(missing.runs[0]?.[0]);
        const isIn = (line: number): boolean => spans.some(({ from, to }) => line >= from && line <= to);
        const isHeld = ([first, last]: Run): boolean => isIn(first) && isIn(last);
        expect(missing.runs.filter(isHeld)).toHaveLength(held);
        expect(missing.runs.slice(0, held).every(isHeld)).toBe(true);
        const asked = spans.reduce((sum, { from, to }) => sum + Math.min(to, missing.total) - from + 1, 0);
        const lacking = missing.runs.slice(0, held).reduce((sum, [a, b]) => sum + b - a + 1, 0);
        expect(lacking * 2).toBeGreaterThanOrEqual(asked);
      }),
      lawRuns(1_000),
    );
  });
});
