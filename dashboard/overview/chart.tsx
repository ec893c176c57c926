import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isDark } from "../app/scheme.ts";
import { formatClock } from "../text/figures.ts";
import { Panel } from "../ui/panel.tsx";
import { ChartTable, showValue } from "./chart-table.tsx";
import { type Drawing, type Line, plot } from "./plot.ts";

interface ChartProps {
  readonly title: string;
  readonly note: string;
  readonly times: readonly number[];
  readonly lines: readonly (Line & { readonly says: string })[];
  readonly format: (value: number) => string;
  /** Whole numbers only. */
  readonly isCount?: boolean | undefined;
  /** What is shown without lines. */
  readonly empty: ComponentChildren;
}

function Sample({ color, dash }: Pick<Line, "color" | "dash">) {
  return (
    <svg class="sample" viewBox="0 0 24 8" aria-hidden="true" focusable="false">
      <path class={`series-${color}`} d="M0 4h24" stroke-dasharray={dash.join(" ")} />
    </svg>
  );
}

/** Lines over time: a picture, a legend with figures, and a table. */
export function Chart({ title, note, times, lines, format, isCount = false, empty }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  const [pointedAt, setPointedAt] = useState<number | undefined>(undefined);
  const dark = isDark.value;
  const hasLines = lines.length > 0 && times.length > 0;
  const names = lines.map(({ name }) => name).join("\n");
  useEffect(() => {
    if (!hasLines || place.current === null) return undefined;
    const drawn = plot(place.current, { times, lines }, format, isCount, setPointedAt);
    drawing.current = drawn;
    return () => {
      drawing.current = undefined;
      drawn.end();
    };
    // New figures are handed over below; only other lines or colours need another drawing.
  }, [names, dark, hasLines]);
  useEffect(() => drawing.current?.draw({ times, lines }), [times, lines]);
  const pointed = pointedAt === undefined ? undefined : times[pointedAt];
  return (
    <Panel title={title} note={pointed === undefined ? note : `at ${formatClock(pointed * 1_000)}`}>
      {hasLines ? (
        <>
          <ul class="legend">
            {lines.map(({ name, color, dash, values, says }) => (
              <li key={name}>
                <Sample color={color} dash={dash} />
                <span>{name}</span>
                <strong>{pointedAt === undefined ? says : showValue(values[pointedAt], format)}</strong>
              </li>
            ))}
          </ul>
          <div
            class="plot"
            ref={place}
            role="img"
            aria-label={`${title}, ${note}: ${lines.map(({ name, says }) => `${name} ${says}`).join(", ")}. The table below has the figures.`}
          />
          <ChartTable title={title} times={times} lines={lines} format={format} />
        </>
      ) : (
        <p class="quiet plot-empty">{empty}</p>
      )}
    </Panel>
  );
}
