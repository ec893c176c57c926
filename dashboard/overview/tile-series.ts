// Tiles become lines of a chart. Tiles without calls are left out on the wire: counts are zero there, times unknown.

import type { Tile } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

/** A few tiles as one point of a chart. */
export interface Point {
  /** Its first millisecond. */
  readonly at: number;
  /** The tiles of the point in which a call ended. */
  readonly tiles: readonly Tile[];
}

export interface Span {
  readonly name: string;
  /** How far back it reaches. */
  readonly ms: number;
  /** How long a point is. A whole number of tiles. */
  readonly pointMs: number;
}

/**
 * The points of a span that ends now, without holes. Before the gateway was started nothing passed: that counts as a
 * hole like any other, so that the first call is at the right of a whole span.
 */
export function toPoints(tiles: readonly Tile[], tileMs: number, span: Span, nowMs: number): Point[] {
  const last = tiles.at(-1);
  if (last === undefined) return [];
  const pointMs = Math.max(tileMs, span.pointMs);
  const start = (at: number): number => Math.floor(at / pointMs) * pointMs;
  // The clocks of the gateway and the browser may differ: what was counted is shown in any case.
  const end = Math.max(start(last.at), start(nowMs));
  const oldest = end - span.ms + pointMs;
  const byPoint = new Map<number, Tile[]>();
  for (const tile of tiles) {
    const at = start(tile.at);
    if (at < oldest) continue;
    const group = byPoint.get(at);
    if (group === undefined) byPoint.set(at, [tile]);
    else group.push(tile);
  }
  const points: Point[] = [];
  for (let at = oldest; at <= end; at += pointMs) points.push({ at, tiles: byPoint.get(at) ?? [] });
  // The last point is still being counted: behind calls it would always look like a fall, so it waits.
  if ((points.at(-2)?.tiles.length ?? 0) > 0) points.pop();
  return points;
}

/** A count at each point; zero where no call ended. */
export function countsOf(points: readonly Point[], read: (tile: Tile) => number): number[] {
  return points.map(({ tiles }) => tiles.reduce((sum, tile) => sum + read(tile), 0));
}

/**
 * A time at each point; a hole where no call ended. Medians cannot be put together, so of several tiles the worst
 * counts: nothing looks better than it was.
 */
export function worstOf(points: readonly Point[], read: (tile: Tile) => number): (number | null)[] {
  return points.map(({ tiles }) => (tiles.length === 0 ? null : Math.max(...tiles.map(read))));
}

export interface TypeSeries {
  readonly type: string;
  readonly counts: readonly number[];
  readonly total: number;
}

/** Failures by type, the most frequent first; what is beyond `most` is one row, `others`. */
export function failuresByType(points: readonly Point[], most: number): TypeSeries[] {
  const totals = new Map<string, number>();
  for (const { tiles } of points)
    for (const { byErrorType } of tiles)
      for (const [type, count] of Object.entries(byErrorType))
        totals.set(type, (totals.get(type) ?? 0) + count);
  const ranked = [...totals].sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  const named = ranked.length <= most ? ranked : ranked.slice(0, most - 1);
  const rest = ranked.slice(named.length);
  const series = named.map(([type, total]) => ({
    type,
    total,
    counts: countsOf(points, ({ byErrorType }) => byErrorType[type] ?? 0),
  }));
  if (rest.length === 0) return series;
  const sumOfRest = ({ byErrorType }: Tile): number =>
    rest.reduce((sum, [type]) => sum + (byErrorType[type] ?? 0), 0);
  return [
    ...series,
    {
      type: "others",
      total: rest.reduce((sum, [, count]) => sum + count, 0),
      counts: countsOf(points, sumOfRest),
    },
  ];
}
