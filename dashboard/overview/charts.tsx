import { useMemo } from "preact/hooks";
import type { Overview } from "../../src/dashboard/protocol/traffic.ts";
import { formatAge, formatCount, formatMs, formatShort } from "../text/figures.ts";
import { Chart } from "./chart.tsx";
import { countsOf, failuresByType, timesOf, toTimeline } from "./tile-series.ts";

const SOLID: readonly number[] = [];
const dashes: readonly (readonly number[])[] = [SOLID, [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [1, 5]];
const MOST_TYPES = 6;

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

/** The four charts over the last hour. */
export function Charts({ overview: { tiles, tileMs, totals } }: { readonly overview: Overview }) {
  const charts = useMemo(() => {
    const timeline = toTimeline(tiles, tileMs, Date.now());
    const calls = countsOf(timeline, (tile) => tile.calls);
    const failed = countsOf(timeline, (tile) => tile.failed);
    const before = countsOf(timeline, (tile) => tile.tokensIn);
    const after = countsOf(timeline, (tile) => tile.tokensOut);
    return {
      times: timeline.times,
      calls: [
        {
          name: "Calls",
          values: calls,
          color: 1,
          dash: SOLID,
          isFilled: true,
          says: formatCount(sum(calls)),
        },
        { name: "Failed", values: failed, color: 3, dash: [5, 3], says: formatCount(sum(failed)) },
      ],
      failures: failuresByType(timeline, MOST_TYPES).map(({ type, counts, total }, at) => ({
        name: type,
        values: counts,
        color: [3, 4, 2, 5, 1, 6][at] ?? 6,
        dash: dashes[at] ?? SOLID,
        says: formatCount(total),
      })),
      tokens: [
        { name: "Sent by servers", values: before, color: 2, dash: [5, 3], says: formatShort(sum(before)) },
        {
          name: "Delivered",
          values: after,
          color: 1,
          dash: SOLID,
          isFilled: true,
          says: formatShort(sum(after)),
        },
      ],
      added: [
        {
          name: "Half of calls below",
          values: timesOf(timeline, (tile) => tile.addedP50Ms),
          color: 1,
          dash: SOLID,
          says: formatMs(totals.addedP50Ms),
        },
        {
          name: "99 of 100 below",
          values: timesOf(timeline, (tile) => tile.addedP99Ms),
          color: 4,
          dash: [5, 3],
          says: formatMs(totals.addedP99Ms),
        },
      ],
    };
  }, [tiles, tileMs, totals]);
  const each = `each ${formatAge(tileMs)}, last hour`;
  const none = "No call in the last hour.";
  return (
    <div class="charts">
      <Chart
        title="Tokens"
        note={each}
        times={charts.times}
        lines={charts.tokens}
        format={formatShort}
        empty={none}
      />
      <Chart
        title="Calls"
        note={each}
        times={charts.times}
        lines={charts.calls}
        format={formatShort}
        empty={none}
      />
      <Chart
        title="Failures by type"
        note={each}
        times={charts.times}
        lines={charts.failures}
        format={formatShort}
        empty="No failure in the last hour."
      />
      <Chart
        title="Time that Waybill added"
        note={each}
        times={charts.times}
        lines={charts.added}
        format={formatMs}
        empty={none}
      />
    </div>
  );
}
