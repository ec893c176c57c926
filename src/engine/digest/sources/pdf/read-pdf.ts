import { faults } from "../../../../core/contract/faults.ts";
import type { RawDocument } from "../../document.ts";
import { assertLimit, unreadableDocument } from "../unreadable.ts";
import { checkInflation } from "./pdf-streams.ts";
import {
  type LineSegment,
  type TextLine,
  createLineCollector,
  joinLines,
  mendHyphens,
} from "./join-lines.ts";
import { type PdfDocument, type PdfPage, damaged, withPdf } from "./open-pdf.ts";
import { type JoinedPage, type PlacedLine, joinedPage, withoutRunningLines } from "./running-lines.ts";
import type { WarningDetail } from "../../../../core/contract/warning.ts";

/** A longer text is not a title. */
const MAX_TITLE_CHARS = 300;
const programPrefix = /^(?:Microsoft (?:Word|PowerPoint|Excel)|PowerPoint Presentation|Word) ?- ?/i;
const noTitle =
  /^(?:untitled|title|document\d*|no title|.*\.(?:docx?|pptx?|xlsx?|odt|rtf|txt|tex|dvi|indd|pages|pdf|qxd|ps))$/i;

/** The title in a PDF's own data, unless a program wrote it and not a person. */
export function pdfTitle(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const title = given
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(programPrefix, "")
    .trim();
  return title === "" || title.length > MAX_TITLE_CHARS || noTitle.test(title) ? undefined : title;
}

/** Far more than any readable page; a page that repeats itself a million times ends here. */
const MAX_PAGE_CHARS = 1_000_000;

interface PageReading {
  readonly page: JoinedPage;
  /** True if the page has more text than was read. */
  readonly isCut: boolean;
}

/** The text of a page in reading order. `check` throws when it is time to stop. */
async function readPage(page: PdfPage, maxChars: number, check: () => void): Promise<PageReading> {
  const { add, lines } = createLineCollector();
  const limit = Math.min(maxChars, MAX_PAGE_CHARS);
  const reader = page.streamTextContent().getReader();
  let length = 0;
  try {
    while (length <= limit) {
      check();
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if (!("str" in item)) continue;
        add(item, value.styles[item.fontName]?.vertical === true);
        length += item.str.length + 1;
      }
    }
  } finally {
    await reader.cancel(new Error("Enough was read")).catch(() => undefined);
    page.cleanup();
  }
  const placed: PlacedLine[] = [];
  const text = joinLines(orderLines(lines()), (line, start, end) => placed.push({ line, start, end }));
  const isCut = length > limit;
  if (isCut) return { page: { text: text.slice(0, limit), edges: [], hasMore: true }, isCut };
  return { page: joinedPage(text, placed), isCut };
}

interface PdfOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Further pages are left out, with a warning. */
  readonly maxPages?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const MAX_PAGES = 2_000;
const TIMEOUT_MS = 60_000;
/** Some thirty books; further text is left out, with a warning. */
const MAX_CHARS = 32_000_000;
/** pdf.js runs in microtasks here, so a signal is noticed only after a timer. */
const BREATH_MS = 40;

/** Limits a long reading: `check` throws, `breathe` lets other work run now and then. */
interface Brake {
  readonly check: () => void;
  readonly breathe: () => Promise<void>;
}

/**
 * Reads the text of a PDF, one string per page. Never runs code of the file, never fetches; releases what it
 * opened. Warnings name what could not be read; if nothing could be read, it throws a fault.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<RawDocument> {
  assertLimit("maxPages", options.maxPages);
  assertLimit("timeoutMs", options.timeoutMs);
  const brake = createBrake(options);
  brake.check();
  await checkInflation(bytes, options.signal);
  return withPdf(bytes, async (pdf, missingMaps) => {
    const read = { ...(await readPages(pdf, options, brake)), missingMaps: [...missingMaps].sort() };
    if (read.failed.length === read.pages.length) throw damaged();
    if (read.pages.every((page) => page.trim() === "")) throw withoutText(read);
    return { text: mendHyphens(read.pages), warnings: pageWarnings(read), title: await titleOf(pdf) };
  });
}

async function readPages(
  pdf: PdfDocument,
  { maxPages = MAX_PAGES, onProgress }: PdfOptions,
  brake: Brake,
): Promise<Omit<PagesRead, "missingMaps">> {
  const count = Math.min(pdf.numPages, maxPages);
  const pages: JoinedPage[] = [];
  const failed: number[] = [];
  const cut: number[] = [];
  let room = MAX_CHARS;
  for (let number = 1; number <= count && room > 0; number++) {
    try {
      const { page, isCut } = await readPage(await pdf.getPage(number), room, brake.check);
      pages.push(page);
      room -= page.text.length;
      if (isCut) cut.push(number);
    } catch {
      brake.check();
      pages.push({ text: "", edges: [], hasMore: false });
      failed.push(number);
    }
    onProgress?.(number, count);
    await brake.breathe();
  }
  return { pages: withoutRunningLines(pages), total: pdf.numPages, failed, cut };
}

function createBrake({ signal, timeoutMs = TIMEOUT_MS }: PdfOptions): Brake {
  const start = performance.now();
  let lastBreath = start;
  const check = (): void => {
    signal?.throwIfAborted();
    if (performance.now() - start <= timeoutMs) return;
    throw faults.timeout(timeoutMs, {
      remediation: "Read fewer pages, allow more time, or split the PDF.",
      details: { reason: "slow_pdf" },
    });
  };
  return {
    check,
    breathe: async () => {
      const now = performance.now();
      if (now - lastBreath < BREATH_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      lastBreath = performance.now();
      check();
    },
  };
}

async function titleOf(pdf: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await pdf.getMetadata();
    return pdfTitle((info as { readonly Title?: unknown }).Title);
  } catch {
    return undefined;
  }
}

function withoutText({ total, missingMaps }: PagesRead): Error {
  const pages = total === 1 ? "page" : `${total} pages`;
  if (missingMaps.length > 0)
    return unreadableDocument(
      `The text of the PDF cannot be read: its fonts need character maps that it does not hold`,
      {
        reason: "unmapped_fonts",
        remediation:
          "Export the PDF again with its fonts embedded, or run OCR over it, then digest the result.",
        details: { missing: missingMaps.slice(0, 10) },
      },
    );
  return unreadableDocument(
    `The PDF has no text: its ${pages} ${total === 1 ? "is" : "are"} blank or pictures`,
    {
      reason: "no_text",
      remediation: "Run OCR over the PDF first, then digest the result.",
      details: { pages: total },
    },
  );
}

/** Further runs are counted, not listed. */
const MAX_RUNS = 12;

function runsOf(numbers: readonly number[]): (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** Page numbers in rising order, as people write them: `3, 5-9 and 40 more`. */
export function listPages(numbers: readonly number[]): string {
  const runs = runsOf(numbers);
  const shown = runs.slice(0, MAX_RUNS);
  const words = shown.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const left = runs.slice(MAX_RUNS).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return left === 0 ? words.join(", ") : `${words.join(", ")} and ${left} more`;
}

/** How the pages of a PDF were read. */
interface PagesRead {
  /** The texts, in order; a page that could not be read is empty. */
  readonly pages: readonly string[];
  /** How many pages the PDF has. */
  readonly total: number;
  /** The numbers of pages that could not be read, and of those that were read in part. */
  readonly failed: readonly number[];
  readonly cut: readonly number[];
  /** Character maps that fonts need and the PDF does not contain; text that uses them is lost. */
  readonly missingMaps: readonly string[];
}

/** The most page numbers in a warning; the message counts the rest. */
const MAX_NUMBERS = 100;

function context(numbers: readonly number[], total: number): Record<string, number | number[]> {
  return { pages: numbers.slice(0, MAX_NUMBERS), page_count: numbers.length, total_pages: total };
}

function pagesWord(numbers: readonly number[]): string {
  return numbers.length === 1 ? "Page" : "Pages";
}

/** What a reader of the text must know about its pages. */
function pageWarnings({ pages, total, failed, cut, missingMaps }: PagesRead): WarningDetail[] {
  const unread = new Set(failed);
  const blank = pages.flatMap((page, index) =>
    page.trim() === "" && !unread.has(index + 1) ? [index + 1] : [],
  );
  const warnings: WarningDetail[] = [];
  if (failed.length > 0)
    warnings.push({
      code: "PARTIAL_FAILURE",
      severity: "warning",
      // pdf.js stops counting where the list of pages is broken: the number of further pages is unknown.
      message: `${pagesWord(failed)} ${listPages(failed)} of ${total} could not be read: the PDF is damaged${failed.at(-1) === total ? ", and pages that follow may be missing" : ""}`,
      context: context(failed, total),
    });
  if (pages.length < total)
    warnings.push({
      code: "CONTENT_TRUNCATED",
      severity: "warning",
      message: `Only the first ${pages.length} of ${total} pages were read`,
      context: { pages_read: pages.length, total_pages: total },
    });
  if (cut.length > 0)
    warnings.push({
      code: "CONTENT_TRUNCATED",
      severity: "warning",
      message: `${pagesWord(cut)} ${listPages(cut)} held more text than is read of one page, and ${cut.length === 1 ? "was" : "were"} cut`,
      context: context(cut, total),
    });
  if (blank.length > 0)
    warnings.push({
      code: "PAGES_WITHOUT_TEXT",
      severity: "warning",
      message: `${pagesWord(blank)} ${listPages(blank)} of ${total} ${blank.length === 1 ? "holds" : "hold"} no text: blank, or pictures that need OCR`,
      context: context(blank, total),
    });
  if (missingMaps.length > 0)
    warnings.push({
      code: "FONTS_UNREADABLE",
      severity: "warning",
      message: "Text in fonts that are not embedded could not be read and is left out",
      context: { missing: missingMaps.slice(0, 10) },
    });
  return warnings;
}

/** At least this many lines beside each other are columns; fewer may be a heading with a number, or chance. */
const COLUMN_LINES = 4;
/** Prose fills its column; the cells of a table are short, and are read row by row. */
const PROSE_CHARS = 20;
const PROSE_FILL = 0.6;

interface Gutter {
  readonly left: number;
  readonly right: number;
}

interface Columns {
  readonly gutter: Gutter;
  /** The line after the last one that keeps the gutter free. */
  readonly end: number;
}

/**
 * Puts the lines of a page into reading order. Text that is drawn first is nearly always read first, so the
 * drawing order is kept, with two exceptions: a page drawn from the bottom up, and columns drawn line by line
 * across.
 */
export function orderLines(lines: readonly TextLine[]): readonly TextLine[] {
  const downward = isDrawnUpward(lines)
    ? lines.toSorted((one, other) => other.baseline - one.baseline || leftOf(one) - leftOf(other))
    : lines;
  return downward.some(({ segments }) => segments.length > 1) ? splitColumns(downward) : downward;
}

function leftOf({ segments }: TextLine): number {
  return segments[0]?.left ?? 0;
}

function isDrawnUpward(lines: readonly TextLine[]): boolean {
  let up = 0;
  for (let index = 1; index < lines.length; index++) {
    const [line, next] = [lines[index - 1], lines[index]];
    if (line === undefined || next === undefined || line.angle !== next.angle) return false;
    up += Math.sign(next.baseline - line.baseline);
  }
  return up > lines.length / 2;
}

function splitColumns(lines: readonly TextLine[]): readonly TextLine[] {
  const ordered: TextLine[] = [];
  let index = 0;
  while (index < lines.length) {
    const columns = findColumns(lines, index);
    if (columns === undefined) {
      ordered.push(...lines.slice(index, ++index));
      continue;
    }
    const { gutter, end } = columns;
    const rows = lines.slice(index, end);
    ordered.push(...sideOf(rows, (segment) => segment.right <= gutter.left));
    ordered.push(...splitColumns(sideOf(rows, (segment) => segment.left >= gutter.right)));
    index = end;
  }
  return ordered;
}

function sideOf(lines: readonly TextLine[], isOnSide: (segment: LineSegment) => boolean): TextLine[] {
  return lines
    .map((line) => ({ ...line, segments: line.segments.filter(isOnSide) }))
    .filter(({ segments }) => segments.length > 0);
}

/** The columns that begin at a line, by its leftmost gap that stays free below. */
function findColumns(lines: readonly TextLine[], start: number): Columns | undefined {
  const segments = lines[start]?.segments ?? [];
  for (let index = 1; index < segments.length; index++) {
    const gutter = { left: segments[index - 1]?.right ?? 0, right: segments[index]?.left ?? 0 };
    const columns = followGutter(lines, start, gutter);
    if (columns !== undefined && isProse(lines.slice(start, columns.end), columns.gutter)) return columns;
  }
  return undefined;
}

function followGutter(lines: readonly TextLine[], start: number, first: Gutter): Columns | undefined {
  let gutter = first;
  let end = start;
  for (; end < lines.length; end++) {
    const [before, line] = [lines[end - 1], lines[end]];
    if (line === undefined || (before !== undefined && end > start && !isNextBelow(before, line))) break;
    const narrowed = narrow(gutter, line);
    if (narrowed === undefined) break;
    gutter = narrowed;
  }
  const isBeside = ({ segments }: TextLine): boolean => segments.length > 1;
  return lines.slice(start, end).filter(isBeside).length < COLUMN_LINES ? undefined : { gutter, end };
}

function isNextBelow(line: TextLine, next: TextLine): boolean {
  const drop = line.baseline - next.baseline;
  return line.angle === next.angle && drop > 0 && drop < 3 * Math.max(line.height, next.height);
}

/** The part of a gutter that a line leaves free; undefined if the line crosses it. */
function narrow(gutter: Gutter, { segments, height }: TextLine): Gutter | undefined {
  let { left, right } = gutter;
  const middle = (left + right) / 2;
  for (const segment of segments) {
    if (segment.left < middle) left = Math.max(left, segment.right);
    else right = Math.min(right, segment.left);
  }
  return right - left < height / 2 ? undefined : { left, right };
}

function isProse(lines: readonly TextLine[], gutter: Gutter): boolean {
  const left = lines.flatMap(({ segments }) => segments.filter(({ right }) => right <= gutter.left));
  const right = lines.flatMap(({ segments }) => segments.filter((segment) => segment.left >= gutter.right));
  return [left, right].every((side) => {
    const widest = side.reduce((most, segment) => Math.max(most, segment.right - segment.left), 0);
    const filled = side.reduce((sum, segment) => sum + segment.right - segment.left, 0);
    const chars = side.reduce((sum, { text }) => sum + text.length, 0);
    return chars >= PROSE_CHARS * side.length && filled >= PROSE_FILL * widest * side.length;
  });
}
