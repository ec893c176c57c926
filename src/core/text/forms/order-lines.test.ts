import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { orderLines } from "./order-lines.ts";
import type { TextForm } from "./text-form.ts";

function form(parents: readonly number[], ranks: readonly number[], sameAs?: readonly number[]): TextForm {
  return {
    kind: "tree",
    parents: Int32Array.from(parents),
    ranks: Uint8Array.from(ranks),
    ...(sameAs === undefined ? {} : { sameAs: Int32Array.from(sameAs) }),
  };
}

const shown = (given: TextForm): number[][] => orderLines(given).map((lines) => [...lines]);

describe("the order of lines", () => {
  it("puts a rank before the next", () => {
    expect(shown(form([-1, -1, -1, -1], [3, 2, 1, 0]))).toEqual([[3], [2], [1], [0]]);
  });

  it("takes of a list three of the first for one of the last", () => {
    const list = form(
      Array.from({ length: 12 }, () => -1),
      Array.from({ length: 12 }, () => 2),
    );
    expect(shown(list)[2]?.slice(0, 8)).toEqual([0, 1, 2, 11, 3, 4, 5, 10]);
  });

  it("puts the siblings of a floor before what is below most of them", () => {
    const tree = form([-1, 0, 0, 0, 3, 3], [2, 2, 2, 2, 2, 2]);
    expect(shown(tree)[2]?.slice(0, 2)).toEqual([0, 1]);
    expect(shown(tree)[2]?.at(-1)).toBe(5);
  });

  it("leaves out lines that say the same as an earlier one", () => {
    expect(shown(form([-1, -1, -1], [1, 1, 2], [0, 0, 2]))).toEqual([[], [0], [2], []]);
  });

  it("has every other line once", () => {
    const lines = fc.array(fc.tuple(fc.nat(9), fc.nat(3)), { maxLength: 300 });
    fc.assert(
      fc.property(lines, (drawn) => {
        const parents = drawn.map(([up], at) => (up === 0 || up > at ? -1 : at - up));
        const ranks = drawn.map(([, rank]) => rank);
        const order = shown(form(parents, ranks));
        expect(order.flat().toSorted((a, b) => a - b)).toEqual([...drawn.keys()]);
        for (const [rank, found] of order.entries()) for (const at of found) expect(ranks[at]).toBe(rank);
      }),
      lawRuns(300),
    );
  });
});
