// Bars as inline SVG. The words and figures beside them are text of the page, so whoever cannot see a bar reads the same.
// Lengths are attributes: the page's policy lets no style in but its own sheet.

import { escapeHtml, formatCount, showText } from "../../../page/page-text.ts";

interface BarPart {
  /** A class of the sheet that gives its colour. */
  readonly kind: string;
  readonly amount: number;
}

export interface Bar {
  readonly label: string;
  /** Drawn one behind the other. */
  readonly parts: readonly BarPart[];
  /** What stands behind the bar. Default: the sum. */
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
    // What is there can be seen, however small it is beside the largest.
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

/** A chart with a title: a bar for each row, the longest fills the width. */
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

const FULL_TURN = 100;

/** A ring that is filled as far as the score goes. */
export function scoreRing(value: number, kind: string): string {
  return (
    `<svg class="ring ${kind}" viewBox="0 0 120 120" role="img" aria-label="Score ${value} of 100">` +
    `<circle class="track" cx="60" cy="60" r="52" pathLength="${FULL_TURN}"/>` +
    (value === 0
      ? ""
      : `<circle class="value" cx="60" cy="60" r="52" pathLength="${FULL_TURN}" stroke-dasharray="${value} ${FULL_TURN}" transform="rotate(-90 60 60)"/>`) +
    `<text x="60" y="62" text-anchor="middle" dominant-baseline="middle" aria-hidden="true">${value}</text></svg>`
  );
}
