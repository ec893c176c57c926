// Bars as inline SVG. The words and figures beside them are text of the page, for readers who cannot see a bar. Lengths
// are attributes: the page's policy allows no style but its own sheet.

import { escapeHtml, formatCount, showText } from "./page-text.ts";

interface BarPart {
  /** A class of the style sheet that gives the part its colour. */
  readonly kind: string;
  readonly amount: number;
}

export interface Bar {
  readonly label: string;
  /** The parts, drawn one after the other. */
  readonly parts: readonly BarPart[];
  /** The text after the bar. Default: the sum. */
  readonly says?: string | undefined;
}

const WIDTH = 1_000;
const HEIGHT = 10;

function sumOf({ parts }: Bar): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}

function draw(bar: Bar, largest: number): string {
  let at = 0;
  const rects = bar.parts.map(({ kind, amount }) => {
    // An amount above 0 is always visible, however small it is beside the largest.
    const width = amount === 0 ? 0 : Math.max(6, Math.round((amount / largest) * WIDTH));
    const rect = `<rect class="${kind}" x="${at}" width="${width}" height="${HEIGHT}"/>`;
    at += width;
    return amount === 0 ? "" : rect;
  });
  return (
    `<svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">` +
    `<rect class="track" width="${WIDTH}" height="${HEIGHT}"/>${rects.join("")}</svg>`
  );
}

/** A chart with a title and one bar per row; the longest bar fills the width. */
export function barChart(title: string, bars: readonly Bar[], note = ""): string {
  const largest = Math.max(1, ...bars.map(sumOf));
  const rows = bars.map(
    (bar) =>
      `<li><span class="label"><bdi>${showText(bar.label)}</bdi></span>${draw(bar, largest)}` +
      `<span class="figure">${escapeHtml(bar.says ?? formatCount(sumOf(bar)))}</span></li>`,
  );
  const below = note === "" ? "" : `<p class="note">${escapeHtml(note)}</p>`;
  return `<figure class="chart"><figcaption>${escapeHtml(title)}</figcaption>\n<ol>\n${rows.join("\n")}\n</ol>${below}</figure>`;
}

/** The style rules of a page with charts; the classes of their parts belong to the page. */
export const barChartLook = `
.charts { display: grid; gap: 2rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.chart { margin: 0; min-width: 0; }
figcaption { margin-bottom: .75rem; font-weight: 600; }
.chart ol { margin: 0; padding: 0; list-style: none; }
.chart li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; padding: .3rem 0; font-size: .875rem; line-height: 1.35; }
.chart .label { grid-column: 1; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; }
.chart .figure { grid-column: 2; grid-row: 1; font-variant-numeric: tabular-nums; color: var(--quiet); }
.chart .bar { grid-column: 1 / -1; width: 100%; height: .5rem; margin-top: .2rem; border-radius: .25rem; }
.track { fill: var(--line); }
main { max-width: 76rem; margin-inline: auto; padding-inline: clamp(1.25rem, 4vw, 3rem); }
header { padding-bottom: 1.5rem; }
@media print { :root { --paper: #fff; --panel: #fff; --ink: #000; --quiet: #444; --line: #bbb; } .chart { break-inside: avoid; } svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
