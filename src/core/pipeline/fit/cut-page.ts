// A web page over its budget is sent as what it says, line by line: what matches the words of the call, the title, the main
// content from both ends, then other texts, menus last. The text is archived beside the source, and marks name its lines.

import { countCodePoints, countLines } from "../../text/code-points.ts";
import type { LineOrder } from "../../text/forms/order-lines.ts";
import type { KnownForm } from "../../text/forms/recognise-form.ts";
import { lineStartsOf } from "../../text/forms/text-form.ts";
import { type Passage, rankPassages } from "../../text/passages.ts";
import type { PageText } from "../pipeline-context.ts";
import { type WeighPart, cutText } from "./cut-text.ts";
import { keepForm } from "./keep-form.ts";
import { keepLines } from "./keep-lines.ts";
import { MAX_RANKED } from "./known-text.ts";
import type { KeptLines } from "./mark-gaps.ts";
import type { OmittedPage } from "./omission.ts";
import type { TextWeigher } from "./weigh-parcel.ts";

/** A page of which several cuts are tried. */
export class KnownPage {
  readonly text: string;
  readonly form: KnownForm;
  readonly order: LineOrder;
  readonly lengths: { readonly codePoints: number; readonly lines: number };
  /** What is said of the markup before the text. */
  readonly mark: string;
  #passages: readonly Passage[] | undefined;

  constructor(source: string, { text, headings, order }: PageText) {
    const lineStarts = lineStartsOf(text);
    const ranks = new Uint8Array(lineStarts.length);
    for (const [rank, lines] of order.entries()) for (const line of lines) ranks[line] = rank;
    this.text = text;
    this.form = { kind: "html", parents: headings, ranks, lineStarts, structureShare: 1 };
    this.order = order;
    this.lengths = { codePoints: countCodePoints(text), lines: countLines(text) };
    this.mark = markupMark(countCodePoints(source), this.lengths.codePoints);
  }

  passages(words: string): readonly Passage[] {
    return (this.#passages ??= words === "" ? [] : rankPassages(this.text, words, MAX_RANKED, 1));
  }
}

function markupMark(total: number, left: number): string {
  const [markup, all] = [total - left, total].map((count) => count.toLocaleString("en-US"));
  return `[… ${markup} of ${all} characters are markup; lines count in the page's text]\n`;
}

interface PageTools {
  readonly gauge: TextWeigher;
  readonly weigh: WeighPart;
  readonly words: string;
  readonly isBare: boolean;
}

/** What is sent of a page, after a mark that says how much is markup; undefined if the room is too small for that. */
export function cutPage(
  page: KnownPage,
  room: number,
  tools: PageTools,
): { readonly value: string; readonly page: OmittedPage } | undefined {
  const { text, lengths, mark } = page;
  const left = room - tools.weigh(mark, room);
  if (left <= 0) return undefined;
  const kept = keepPage(page, left, tools);
  if (kept === undefined) return undefined;
  const { value, runs, lines } = kept;
  return { value: `${mark}${value}`, page: { text, runs, total: lengths.codePoints, lines } };
}

function keepPage(
  page: KnownPage,
  room: number,
  { gauge, weigh, words, isBare }: PageTools,
): Pick<KeptLines, "value" | "runs" | "lines"> | undefined {
  const { text, lengths, form, order } = page;
  if (weigh(text, room) <= room) return { value: text, runs: [], lines: { runs: [], total: lengths.lines } };
  const tools = { weigh, lengths, blocks: [], ranked: () => page.passages(words) };
  return (
    keepForm(text, room, { ...tools, form, order }) ??
    keepLines(text, room, tools) ??
    beginningOf(text, room, lengths, { gauge, isBare })
  );
}

function beginningOf(
  text: string,
  room: number,
  { codePoints, lines }: KnownPage["lengths"],
  { gauge, isBare }: Pick<PageTools, "gauge" | "isBare">,
): Pick<KeptLines, "value" | "runs" | "lines"> | undefined {
  const value = cutText(text, room, gauge, isBare);
  if (value === undefined || value === "") return undefined;
  const first = countLines(value) + 1;
  return {
    value,
    runs: [[countCodePoints(value), codePoints]],
    lines: value.endsWith("\n") ? { runs: [[first, lines]], total: lines } : undefined,
  };
}
