import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../test/arbitrary/law-runs.ts";
import type { ReadableLine } from "../reading/readable-lines.ts";
import { type Cell, compareTexts, foldRows } from "./compare-texts.ts";

const lines = (texts: readonly string[]): ReadableLine[] => texts.map((text) => ({ text, isHeading: false }));
const meaning = (cell: Cell | undefined): string | undefined => cell?.line.text.trim().replace(/,$/, "");

describe("compareTexts", () => {
  it("loses no line of either side and keeps their order", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "{", "}", "", "  a,"), { maxLength: 60 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = compareTexts(lines(before), lines(after));
        expect(rows.flatMap(({ left }) => (left ? [left.line.text] : []))).toEqual(before);
        expect(rows.flatMap(({ right }) => (right ? [right.line.text] : []))).toEqual(after);
        expect(foldRows(rows).flatMap((part) => part.rows)).toEqual(rows);
        const same = rows.filter(({ isSame }) => isSame);
        expect(same.map(({ left }) => meaning(left))).toEqual(same.map(({ right }) => meaning(right)));
      }),
      lawRuns(1_000),
    );
  });
});
