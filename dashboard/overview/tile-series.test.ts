import { describe, expect, it } from "vitest";
import type { Tile } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { type Span, countsOf, failuresByType, toPoints, worstOf } from "./tile-series.ts";

const TILE = 10_000;
const minutes: Span = { name: "10 minutes", ms: 600_000, pointMs: TILE };
const hour: Span = { name: "1 hour", ms: 3_600_000, pointMs: 60_000 };

function tile(at: number, said: Partial<Tile> = {}): Tile {
  return {
    at,
    calls: 1,
    failed: 0,
    byErrorType: {},
    tokensIn: 10,
    tokensOut: 5,
    addedP50Ms: 1,
    addedP99Ms: 2,
    ...said,
  };
}

describe("toPoints", () => {
  it("fills holes: counts are zero there, times unknown", () => {
    const all = toPoints([tile(0), tile(30_000, { calls: 4, addedP50Ms: 3 })], TILE, minutes, 55_000);
    expect(all.length).toBe(60);
    const points = all.slice(-6);
    expect(points.map(({ at }) => at)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    expect(countsOf(points, ({ calls }) => calls)).toEqual([1, 0, 0, 4, 0, 0]);
    expect(worstOf(points, ({ addedP50Ms }) => addedP50Ms)).toEqual([1, null, null, 3, null, null]);
  });

  it("puts tiles together for a longer span: counts are summed, of times the worst stays", () => {
    const tiles = Array.from({ length: 30 }, (_, at) => tile(at * TILE, { addedP99Ms: at }));
    const points = toPoints(tiles, TILE, hour, 299_999).slice(-4);
    expect(countsOf(points, ({ calls }) => calls)).toEqual([6, 6, 6, 6]);
    expect(worstOf(points, ({ addedP99Ms }) => addedP99Ms)).toEqual([5, 11, 17, 23]);
  });

  it("leaves out what is older than the span, and behind calls the point that is still being counted", () => {
    const tiles = Array.from({ length: 360 }, (_, at) => tile(at * TILE));
    const points = toPoints(tiles, TILE, minutes, 3_599_000);
    expect(points.length).toBe(59);
    expect(points.at(-1)?.at).toBe(3_580_000);
  });

  it("shows the first calls at once, and calls from a clock that runs ahead", () => {
    expect(toPoints([tile(0)], TILE, minutes, 5_000).at(-1)).toEqual({ at: 0, tiles: [tile(0)] });
    expect(toPoints([tile(50_000)], TILE, minutes, 0).at(-1)?.at).toBe(50_000);
    expect(toPoints([], TILE, minutes, 0)).toEqual([]);
  });
});

describe("failuresByType", () => {
  it("ranks types, and sums up in one row what does not fit", () => {
    const points = toPoints(
      [tile(0, { byErrorType: { a: 1, b: 5 } }), tile(10_000, { byErrorType: { c: 2, d: 1, b: 1 } })],
      TILE,
      minutes,
      35_000,
    ).slice(-4);
    expect(failuresByType(points, 4).map(({ type, total }) => [type, total])).toEqual([
      ["b", 6],
      ["c", 2],
      ["a", 1],
      ["d", 1],
    ]);
    expect(failuresByType(points, 3)).toEqual([
      { type: "b", total: 6, counts: [5, 1, 0, 0] },
      { type: "c", total: 2, counts: [0, 2, 0, 0] },
      { type: "others", total: 2, counts: [1, 1, 0, 0] },
    ]);
  });
});
