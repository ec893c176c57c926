import type { WarningDetail } from "../../../../core/contract/warning.ts";

/** More runs than this are counted, not listed. */
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

/** Page numbers in rising order as people write them: `3, 5-9 and 40 more`. */
export function listPages(numbers: readonly number[]): string {
  const runs = runsOf(numbers);
  const shown = runs.slice(0, MAX_RUNS);
  const words = shown.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const left = runs.slice(MAX_RUNS).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return left === 0 ? words.join(", ") : `${words.join(", ")} and ${left} more`;
}

/** How the pages of a PDF were read. */
export interface PagesRead {
  /** The texts, in order; a page that could not be read is empty. */
  readonly pages: readonly string[];
  /** How many pages the PDF has. */
  readonly total: number;
  /** The numbers of pages that could not be read, and of those read in part. */
  readonly failed: readonly number[];
  readonly cut: readonly number[];
  /** Character maps that fonts asked for and the PDF does not hold; what is written in them is lost. */
  readonly missingMaps: readonly string[];
}

/** So many page numbers travel with a warning; the message counts the rest. */
const MAX_NUMBERS = 100;

function context(numbers: readonly number[], total: number): Record<string, number | number[]> {
  return { pages: numbers.slice(0, MAX_NUMBERS), page_count: numbers.length, total_pages: total };
}

function pagesWord(numbers: readonly number[]): string {
  return numbers.length === 1 ? "Page" : "Pages";
}

/** What a reader of the text must know about the pages it came from. */
export function pageWarnings({ pages, total, failed, cut, missingMaps }: PagesRead): WarningDetail[] {
  const unread = new Set(failed);
  const blank = pages.flatMap((page, index) =>
    page.trim() === "" && !unread.has(index + 1) ? [index + 1] : [],
  );
  const warnings: WarningDetail[] = [];
  if (failed.length > 0)
    warnings.push({
      code: "PARTIAL_FAILURE",
      severity: "warning",
      // pdf.js stops counting where the list of pages is broken: nobody knows how many follow.
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
