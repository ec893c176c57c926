import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../test/arbitrary/law-runs.ts";
import { rowAfterKey, scrollToShow, visibleWindow } from "./visible-window.ts";

describe("visibleWindow", () => {
  it("draws every row that can be seen and few others, of however many", () => {
    const height = fc.integer({ min: 20, max: 80 });
    fc.assert(
      fc.property(
        fc.nat({ max: 100_000 }),
        height,
        fc.nat({ max: 4_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, rowPx, viewPx, at) => {
          const scrollTop = at * Math.max(0, count * rowPx - viewPx);
          const { first, end } = visibleWindow(scrollTop, viewPx, rowPx, count);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(count);
          expect(first * rowPx).toBeLessThanOrEqual(scrollTop);
          expect(end === count || end * rowPx >= scrollTop + viewPx).toBe(true);
          expect(end - first).toBeLessThanOrEqual(Math.ceil(viewPx / rowPx) + 18);
        },
      ),
      lawRuns(1_000),
    );
  });

  it("draws nothing where the list became shorter than the place that was scrolled to", () => {
    expect(visibleWindow(90_000, 600, 30, 10)).toEqual({ first: 10, end: 10 });
    expect(visibleWindow(-50, 600, 30, 5)).toEqual({ first: 0, end: 5 });
  });
});

describe("scrollToShow", () => {
  it("moves as little as needed", () => {
    expect(scrollToShow(0, 100, 300, 30)).toBe(0);
    expect(scrollToShow(5, 100, 300, 30)).toBe(100);
    expect(scrollToShow(20, 100, 300, 30)).toBe(330);
  });
});

describe("rowAfterKey", () => {
  it("moves by rows, pages and to the ends, and stays in the list", () => {
    expect(rowAfterKey("ArrowDown", undefined, 100, 10)).toBe(0);
    expect(rowAfterKey("End", undefined, 100, 10)).toBe(99);
    expect(rowAfterKey("ArrowDown", 4, 100, 10)).toBe(5);
    expect(rowAfterKey("ArrowUp", 0, 100, 10)).toBe(0);
    expect(rowAfterKey("PageDown", 4, 100, 10)).toBe(13);
    expect(rowAfterKey("PageUp", 4, 100, 10)).toBe(0);
    expect(rowAfterKey("Home", 50, 100, 10)).toBe(0);
    expect(rowAfterKey("End", 50, 100, 10)).toBe(99);
    expect(rowAfterKey("ArrowDown", 99, 100, 10)).toBe(99);
  });

  it("leaves other keys alone, and an empty list too", () => {
    expect(rowAfterKey("a", 3, 100, 10)).toBeUndefined();
    expect(rowAfterKey("toString", 3, 100, 10)).toBeUndefined();
    expect(rowAfterKey("ArrowDown", undefined, 0, 10)).toBeUndefined();
  });
});
