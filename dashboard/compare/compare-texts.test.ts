import { describe, expect, it } from "vitest";
import type { ReadableLine } from "../reading/readable-lines.ts";
import { compareTexts, foldRows, type Row } from "./compare-texts.ts";

const lines = (texts: readonly string[]): ReadableLine[] => texts.map((text) => ({ text, isHeading: false }));
const show = ({ isSame, left, right }: Row): string =>
  `${left?.line.text ?? "–"} ${isSame ? "=" : "|"} ${right?.line.text ?? "–"}`;
const compare = (before: readonly string[], after: readonly string[]): string[] =>
  compareTexts(lines(before), lines(after)).map(show);

describe("compareTexts", () => {
  it("puts equal lines beside each other", () => {
    expect(compare(["a", "b", "c", "d"], ["a", "c", "x", "d"])).toEqual([
      "a = a",
      "b | –",
      "c = c",
      "– | x",
      "d = d",
    ]);
  });

  it("takes a line that is deeper, or ends its list, as the same", () => {
    expect(compare(["[", '  "a",', '  "b"', "]"], ["{", '    "a"', "}"])).toEqual([
      "[ | {",
      '  "a", =     "a"',
      '  "b" | }',
      "] | –",
    ]);
  });

  it("marks what differs within a line", () => {
    const [row] = compareTexts(lines(['"total": 120']), lines(['"total": 20']));
    expect(row?.left?.mark).toEqual([9, 10]);
    expect(row?.right?.mark).toEqual([9, 9]);
  });

  it("marks nothing in lines that have little in common", () => {
    const [row] = compareTexts(lines(['      "type": "file"']), lines(['      "code": "CUT"']));
    expect(row?.left?.mark).toBeUndefined();
  });

  it("puts stretches that have nothing in common one after the other", () => {
    expect(compare(["one", "two", "same"], ["alpha", "beta", "gamma", "same"])).toEqual([
      "one | –",
      "two | –",
      "– | alpha",
      "– | beta",
      "– | gamma",
      "same = same",
    ]);
  });

  it("folds long stretches of equal and of missing lines, and shows their ends", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    const parts = foldRows(compareTexts(lines(many), lines(many.slice(0, 1_000))));
    expect(parts.map(({ kind, isFolded, rows }) => [kind, isFolded, rows.length])).toEqual([
      ["same", false, 3],
      ["same", true, 994],
      ["same", false, 3],
      ["before", false, 3],
      ["before", true, 3_994],
      ["before", false, 3],
    ]);
  });
});
