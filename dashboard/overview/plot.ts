// The one place that knows uPlot: lines over time, drawn in the colours of the sheet.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatClock } from "../text/figures.ts";

export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Which colour of the sheet, 1 to 4. */
  readonly color: number;
  /** Lines differ by their dashes too: colour alone cannot be told by everyone. */
  readonly dash: readonly number[];
  readonly isFilled?: boolean | undefined;
}

/** What is drawn: seconds since 1970, and a value of each line for each. */
export interface Picture {
  readonly times: readonly number[];
  readonly lines: readonly Line[];
}

export interface Drawing {
  /** The same lines with other figures. */
  draw(picture: Picture): void;
  end(): void;
}

const HEIGHT = 168;

/** A colour of the sheet as the canvas takes it: the name of a variable would not do. */
function colorOf(place: Element, variable: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${variable})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function withAlpha(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}

const wholeSteps = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

/** The points that no line reaches, since nothing is beside them: they are drawn as points, or would not be seen. */
function lonePoints({ data }: uPlot, series: number): number[] {
  const values = data[series] ?? [];
  const has = (at: number): boolean => typeof values[at] === "number";
  return Array.from(values, (_, at) => at).filter((at) => has(at) && !has(at - 1) && !has(at + 1));
}

/** Draws into a place; `look` hears which position the pointer is at, or undefined. */
export function plot(
  place: HTMLElement,
  picture: Picture,
  format: (value: number) => string,
  isCount: boolean,
  look: (at: number | undefined) => void,
): Drawing {
  const quiet = colorOf(place, "--quiet");
  const grid = { stroke: colorOf(place, "--line"), width: 1 };
  const font = `11px ${getComputedStyle(place).fontFamily}`;
  const axis = { stroke: quiet, grid, ticks: { show: false }, font };
  const toData = ({ times, lines }: Picture): uPlot.AlignedData =>
    [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const chart = new uPlot(
    {
      width: Math.max(120, place.clientWidth),
      height: HEIGHT,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: "overview" }, points: { size: 6 } },
      scales: {
        // Nothing below zero is ever counted, and a line of zeros is at the bottom.
        y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 4,
          space: 70,
          values: (_chart, at) => at.map((second) => formatClock(second * 1_000).slice(0, 5)),
        },
        {
          ...axis,
          size: 52,
          gap: 6,
          space: 32,
          // Half a call is no call: steps between counts are whole.
          ...(isCount ? { incrs: wholeSteps } : {}),
          values: (_chart, at) => at.map(format),
        },
      ],
      series: [
        {},
        ...picture.lines.map(({ name, color, dash, isFilled }) => {
          const stroke = colorOf(place, `--series-${color}`);
          return {
            label: name,
            stroke,
            width: 1.5,
            dash: [...dash],
            points: { show: true, filter: lonePoints, size: 7, fill: stroke },
            ...(isFilled === true ? { fill: withAlpha(stroke, 14) } : {}),
          };
        }),
      ],
      hooks: { setCursor: [({ cursor }) => look(cursor.idx ?? undefined)] },
    },
    toData(picture),
    place,
  );
  const resized = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(120, place.clientWidth), height: HEIGHT }),
  );
  resized.observe(place);
  return {
    draw: (next) => chart.setData(toData(next)),
    end: () => {
      resized.disconnect();
      chart.destroy();
    },
  };
}
