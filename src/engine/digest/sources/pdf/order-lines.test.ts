import { describe, expect, test } from "vitest";
import { orderLines } from "./read-pdf.ts";
import type { TextLine } from "./join-lines.ts";

function row(baseline: number, ...cells: readonly (readonly [left: number, text: string])[]): TextLine {
  const segments = cells.map(([left, text]) => ({ text, left, right: left + 5 * text.length }));
  return { segments, baseline, height: 10, isRightToLeft: false, angle: 0 };
}

function texts(lines: readonly TextLine[]): string[] {
  return lines.map(({ segments }) => segments.map(({ text }) => text).join(" | "));
}

const prose = (name: string, index: number): string => `${name} column, line ${index}, of some prose`;
const downward = [0, 1, 2, 3, 4];

describe("orderLines", () => {
  test("keeps the order in which a page was drawn", () => {
    const lines = [row(700, [50, "left top"]), row(100, [50, "left end"]), row(700, [300, "right top"])];
    expect(orderLines(lines)).toBe(lines);
  });

  test("reads columns that were drawn across one after the other", () => {
    const lines = downward.map((index) =>
      row(700 - 12 * index, [50, prose("left", index)], [300, prose("right", index)]),
    );
    expect(texts(orderLines(lines))).toEqual([
      ...downward.map((index) => prose("left", index)),
      ...downward.map((index) => prose("right", index)),
    ]);
  });

  test("reads three columns from left to right, and what is above them first", () => {
    const lines = [
      row(720, [
        50,
        "A title over the whole width of the page, to its very end and so over all columns of it",
      ]),
      ...downward.map((index) =>
        row(700 - 12 * index, [50, prose("a", index)], [240, prose("b", index)], [430, prose("c", index)]),
      ),
    ];
    expect(texts(orderLines(lines))).toEqual([
      expect.stringContaining("A title"),
      ...["a", "b", "c"].flatMap((name) => downward.map((index) => prose(name, index))),
    ]);
  });

  test("keeps a line that only the longer column still has in that column", () => {
    const lines = [
      ...downward.map((index) =>
        row(700 - 12 * index, [50, prose("left", index)], [300, prose("right", index)]),
      ),
      row(640, [300, prose("right", 5)]),
    ];
    expect(texts(orderLines(lines)).slice(-2)).toEqual([prose("right", 4), prose("right", 5)]);
  });

  test("reads a table row by row", () => {
    const lines = downward.map((index) =>
      row(700 - 12 * index, [50, `key ${index}`], [300, `value ${index}`]),
    );
    expect(texts(orderLines(lines))).toEqual(downward.map((index) => `key ${index} | value ${index}`));
  });

  test("turns a page round that was drawn from the bottom up", () => {
    const lines = downward.map((index) => row(100 + 12 * index, [50, `line ${index}`]));
    expect(texts(orderLines(lines))).toEqual(downward.toReversed().map((index) => `line ${index}`));
  });
});
