import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Overview } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { formatAge, formatCount, formatMs, formatShort } from "../text/figures.ts";
import { Segments } from "../ui/segments.tsx";
import { Chart } from "./chart.tsx";
import { FailureRows } from "./failure-rows.tsx";
import { type Span, countsOf, failuresByType, toPoints, worstOf } from "./tile-series.ts";

const spans: readonly Span[] = [
  { name: "10 minutes", ms: 600_000, pointMs: 10_000 },
  { name: "1 hour", ms: 3_600_000, pointMs: 60_000 },
];
const SHORTEST: Span = { name: "10 minutes", ms: 600_000, pointMs: 10_000 };
const MOST_TYPES = 7;

/** Kept when the view is left. */
const span = signal(SHORTEST);

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function largest(values: readonly (number | null)[]): string {
  return formatMs(values.reduce<number>((most, one) => Math.max(most, one ?? 0), 0));
}

function draw({ tiles, tileMs }: Overview, chosen: Span) {
  const points = toPoints(tiles, tileMs, chosen, Date.now());
  const calls = countsOf(points, (tile) => tile.calls);
  const failed = countsOf(points, (tile) => tile.failed);
  const before = countsOf(points, (tile) => tile.tokensIn);
  const after = countsOf(points, (tile) => tile.tokensOut);
  const median = worstOf(points, (tile) => tile.addedP50Ms);
  const p99 = worstOf(points, (tile) => tile.addedP99Ms);
  const solid = { color: 1, dash: [] };
  return {
    times: points.map(({ at }) => at / 1_000),
    tokens: [
      { name: "Sent by servers", values: before, color: 2, dash: [5, 3], says: formatShort(sum(before)) },
      { name: "Delivered", values: after, ...solid, isFilled: true, says: formatShort(sum(after)) },
    ],
    calls: [
      { name: "Calls", values: calls, ...solid, isFilled: true, says: formatCount(sum(calls)) },
      { name: "Failed", values: failed, color: 3, dash: [5, 3], says: formatCount(sum(failed)) },
    ],
    failures: failuresByType(points, MOST_TYPES),
    added: [
      { name: "Median", values: median, ...solid, says: `up to ${largest(median)}` },
      { name: "p99", values: p99, color: 4, dash: [5, 3], says: `up to ${largest(p99)}` },
    ],
  };
}

/** Four charts over the chosen time. */
export function Charts({ overview }: { readonly overview: Overview }) {
  const chosen = span.value;
  const { times, tokens, calls, failures, added } = useMemo(() => draw(overview, chosen), [overview, chosen]);
  const each = `each ${formatAge(chosen.pointMs)}`;
  const none = "No call in this time.";
  const worst = chosen.pointMs > overview.tileMs ? `, the worst ${formatAge(overview.tileMs)} of it` : "";
  return (
    <>
      <div class="charts-head">
        <h2>Over time</h2>
        <Segments
          label="How far back"
          values={spans.map(({ name }) => name)}
          value={chosen.name}
          onChoose={(name) => {
            span.value = spans.find((one) => one.name === name) ?? SHORTEST;
          }}
        />
      </div>
      <div class="charts">
        <Chart
          title="Tokens"
          note={each}
          times={times}
          lines={tokens}
          format={formatShort}
          isCount
          empty={none}
        />
        <Chart
          title="Calls"
          note={each}
          times={times}
          lines={calls}
          format={formatShort}
          isCount
          empty={none}
        />
        <FailureRows note={each} times={times} series={failures} />
        <Chart
          title="Time added by Waybill"
          note={`${each}${worst}`}
          times={times}
          lines={added}
          format={formatMs}
          empty={none}
        />
      </div>
    </>
  );
}
