import { useState } from "preact/hooks";
import { formatClock } from "../text/figures.ts";

interface ChartTableProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly format: (value: number) => string;
}

/** A figure, or a dash where nothing was measured. */
export function showValue(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** The figures of a chart, for those who cannot see or point at it. Built only while it is open. */
export function ChartTable({ title, times, lines, format }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false);
  // Newest first: a screen reader says what is now before what was.
  const order = times.map((_, at) => times.length - 1 - at);
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Table<span class="unseen"> of {title}</span>
      </summary>
      {isOpen ? (
        <div class="table-frame" role="group" aria-label={`Table of ${title}`} tabIndex={0}>
          <table>
            <caption class="unseen">{title}, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {order.map((at) => (
                <tr key={times[at]}>
                  <th scope="row">{formatClock((times[at] ?? 0) * 1_000)}</th>
                  {lines.map(({ name, values }) => (
                    <td key={name} class="number">
                      {showValue(values[at], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
}
