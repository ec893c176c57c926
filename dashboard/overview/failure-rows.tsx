import { linkTo } from "../app/route.ts";
import { formatCount } from "../text/figures.ts";
import { Panel } from "../ui/panel.tsx";
import { ChartTable } from "./chart-table.tsx";
import type { TypeSeries } from "./tile-series.ts";

const HEIGHT = 20;

function Bars({ counts, largest }: { readonly counts: readonly number[]; readonly largest: number }) {
  const width = Math.max(1, counts.length);
  return (
    <span class="bars">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {counts.map((count, at) => {
          // What is there can be seen, however small it is beside the largest.
          const height = count === 0 ? 0 : Math.max(3, (count / largest) * HEIGHT);
          return count === 0 ? null : (
            <rect key={at} x={at + 0.1} width={0.8} y={HEIGHT - height} height={height} />
          );
        })}
      </svg>
    </span>
  );
}

interface FailureRowsProps {
  readonly note: string;
  readonly times: readonly number[];
  readonly series: readonly TypeSeries[];
}

/** A row of bars for each type of failure: beside its name, so that no colour has to be told from another. */
export function FailureRows({ note, times, series }: FailureRowsProps) {
  const largest = Math.max(1, ...series.flatMap(({ counts }) => counts));
  return (
    <Panel title="Failures by type" note={note}>
      {series.length === 0 ? (
        <p class="quiet plot-empty">No failure in this time.</p>
      ) : (
        <>
          <ul class="failure-rows">
            {series.map(({ type, counts, total }) => (
              <li key={type}>
                <a class="cut" href={linkTo("traffic", { code: type })} title={type}>
                  {type}
                </a>
                <strong class="number">{formatCount(total)}</strong>
                <Bars counts={counts} largest={largest} />
              </li>
            ))}
          </ul>
          <ChartTable
            title="Failures by type"
            times={times}
            lines={series.map(({ type, counts }) => ({ name: type, values: counts }))}
            format={formatCount}
          />
        </>
      )}
    </Panel>
  );
}
