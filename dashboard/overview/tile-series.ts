// Tiles become lines of a chart. Tiles without calls are left out on the wire: counts are zero there, times unknown.

import type { Tile } from "../../src/dashboard/protocol/traffic.ts";

export interface Timeline {
  /** Seconds since 1970, one for each tile, without holes. */
  readonly times: readonly number[];
  /** The tile of each time; undefined where no call ended. */
  readonly tiles: readonly (Tile | undefined)[];
}

/** As many as the gateway sends. */
const MAX_TILES = 360;

/** All tiles from the first to the one of `nowMs`, holes filled; at most the last 360. */
export function toTimeline(tiles: readonly Tile[], tileMs: number, nowMs: number): Timeline {
  const first = tiles[0];
  const last = tiles.at(-1);
  if (first === undefined || last === undefined || tileMs <= 0) return { times: [], tiles: [] };
  // The clocks of the gateway and the browser may differ: what was counted is shown in any case.
  const end = Math.max(last.at, Math.floor(nowMs / tileMs) * tileMs);
  const start = Math.max(first.at, end - (MAX_TILES - 1) * tileMs);
  const byTime = new Map(tiles.map((tile) => [tile.at, tile]));
  const times: number[] = [];
  const filled: (Tile | undefined)[] = [];
  for (let at = start; at <= end; at += tileMs) {
    times.push(at / 1_000);
    filled.push(byTime.get(at));
  }
  return { times, tiles: filled };
}

/** A count in each tile; zero where no call ended. */
export function countsOf({ tiles }: Timeline, read: (tile: Tile) => number): number[] {
  return tiles.map((tile) => (tile === undefined ? 0 : read(tile)));
}

/** A time in each tile; a hole where no call ended. */
export function timesOf({ tiles }: Timeline, read: (tile: Tile) => number): (number | null)[] {
  return tiles.map((tile) => (tile === undefined || tile.calls === 0 ? null : read(tile)));
}

export interface TypeSeries {
  readonly type: string;
  readonly counts: readonly number[];
  readonly total: number;
}

/** Failures by type, the most frequent first; what is beyond `most` is one line, `others`. */
export function failuresByType(timeline: Timeline, most: number): TypeSeries[] {
  const totals = new Map<string, number>();
  for (const tile of timeline.tiles)
    for (const [type, count] of Object.entries(tile?.byErrorType ?? {}))
      totals.set(type, (totals.get(type) ?? 0) + count);
  const ranked = [...totals].sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  // One type more than fits would become "others" by itself: then it has its own name.
  const named = ranked.length <= most ? ranked : ranked.slice(0, most - 1);
  const series = named.map(([type, total]) => ({
    type,
    total,
    counts: countsOf(timeline, ({ byErrorType }) => byErrorType[type] ?? 0),
  }));
  const rest = ranked.slice(named.length);
  if (rest.length === 0) return series;
  return [
    ...series,
    {
      type: "others",
      total: rest.reduce((sum, [, count]) => sum + count, 0),
      counts: countsOf(timeline, ({ byErrorType }) =>
        rest.reduce((sum, [type]) => sum + (byErrorType[type] ?? 0), 0),
      ),
    },
  ];
}
