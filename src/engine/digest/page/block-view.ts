import type { DocumentBlock, Span } from "../document.ts";

/** Shows a stretch of text with its marks. */
type Show = (span: Span) => string;

/** Elements that hold blocks of one kind that follow each other. */
const holders: Readonly<Record<string, readonly [open: string, close: string]>> = {
  item: ["<ul>", "</ul>"],
  row: ['<div class="table"><table>', "</table></div>"],
};

function clip({ start, end }: Span, to: Span): Span {
  return { start: Math.max(start, to.start), end: Math.min(end, to.end) };
}

/** One block, or as much of it as stands in the stretch. */
function showBlock({ kind, cells = [], ...span }: DocumentBlock, stretch: Span, show: Show): string {
  const words = show(clip(span, stretch));
  if (kind === "heading") return `<h3 dir="auto">${words}</h3>`;
  if (kind === "code") return `<pre dir="ltr"><code>${words}</code></pre>`;
  if (kind === "item") return `<li dir="auto">${words}</li>`;
  if (kind !== "row") return `<p dir="auto">${words}</p>`;
  const shown = cells.map((cell) => clip(cell, stretch)).filter(({ start, end }) => start < end);
  return `<tr>${shown.map((cell) => `<td dir="auto">${show(cell)}</td>`).join("")}</tr>`;
}

/** Headings, code, lists and tables as such. What stands between two blocks is a paragraph. */
export function showBlocks(
  text: string,
  blocks: readonly DocumentBlock[],
  stretch: Span,
  show: Show,
): readonly string[] {
  const html: string[] = [];
  let holder = "";
  let at = stretch.start;
  const hold = (kind: string): void => {
    if (kind === holder) return;
    html.push(...(holders[holder]?.slice(1) ?? []), ...(holders[kind]?.slice(0, 1) ?? []));
    holder = kind;
  };
  const between = (end: number): void => {
    const gap = { start: at, end };
    const isEmpty = end <= at || text.slice(at, end).trim() === "";
    if (isEmpty) return;
    hold("");
    html.push(showBlock({ ...gap, kind: "prose" }, stretch, show));
  };
  for (const block of blocks) {
    if (block.end <= stretch.start || block.start >= stretch.end) continue;
    between(block.start);
    // A blank line parts two lists, and two tables.
    if (block.kind === holder && text.slice(at, block.start).includes("\n\n")) hold("");
    hold(block.kind in holders ? block.kind : "");
    html.push(showBlock(block, stretch, show));
    at = block.end;
  }
  between(stretch.end);
  hold("");
  return html;
}
