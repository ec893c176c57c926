import type { DocumentBlock, ScoredSpan, TextSpan } from "../document.ts";
import type { Pacer } from "./pacer.ts";
import { TOO_SIMILAR, isFragment, isProseRange } from "./pick-sentences.ts";
import { standsAlone } from "./stands-alone.ts";
import type { RunScorer, Units } from "./units.ts";
import { similarity, wordSet } from "./word-reader.ts";

// The outline of a document: its sections by their headings, each with its best sentence. Of a book these are the
// chapters: the highest level with several headings is the one that is shown.

/** A section, and the sentence that says most of it, if one stands by itself. */
export interface OutlinePart {
  readonly heading: TextSpan;
  readonly point?: ScoredSpan | undefined;
}

interface Heading extends TextSpan {
  readonly level: number;
}

/** A level with fewer headings does not divide a document. */
const MIN_SECTIONS = 3;
/** Further sections are left out. */
const MAX_SECTIONS = 200;
/** Candidates of a section: the best may say what another section says. */
const KEPT_EACH = 8;

export async function pickOutline(
  text: string,
  units: Units,
  scorer: RunScorer,
  options: {
    readonly blocks?: readonly DocumentBlock[] | undefined;
    readonly maxChars: number;
    /** Sentences that are said elsewhere; no point says the same. */
    readonly said: readonly TextSpan[];
  },
  pacer: Pacer,
): Promise<readonly OutlinePart[]> {
  const headings = sectionsOf(
    options.blocks === undefined ? headingsByForm(text, units) : markedIn(options.blocks),
  );
  if (headings.length < MIN_SECTIONS) return [];
  pacer.enter("sentences");
  const candidates: ScoredSpan[][] = headings.map(() => []);
  let section = -1;
  for (let unit = 0; unit < units.count; unit++) {
    if (pacer.isDue()) await pacer.pause(units.start(unit));
    const [start, end] = [units.start(unit), units.end(unit)];
    while ((headings[section + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) section++;
    const list = candidates[section];
    if (list === undefined || start < (headings[section]?.end ?? 0)) continue;
    if (!units.isWhole(unit) || end - start > options.maxChars) continue;
    const score = scorer.score(unit, unit + 1);
    if (list.length === KEPT_EACH && score <= (list.at(-1)?.score ?? 0)) continue;
    if (isFragment(text, start) || !isProseRange(text, start, end) || !standsAlone(text, start, end))
      continue;
    const at = list.findIndex((other) => other.score < score);
    list.splice(at < 0 ? list.length : at, 0, { start, end, score });
    list.length = Math.min(list.length, KEPT_EACH);
  }
  return withDistinctPoints(text, headings, candidates, options.said);
}

/** The section whose best sentence is best chooses first. */
function withDistinctPoints(
  text: string,
  headings: readonly Heading[],
  candidates: readonly (readonly ScoredSpan[])[],
  said: readonly TextSpan[],
): OutlinePart[] {
  const taken = said.map(({ start, end }) => wordSet(text, start, end));
  const points: (ScoredSpan | undefined)[] = headings.map(() => undefined);
  const bestOf = (index: number): number => candidates[index]?.[0]?.score ?? 0;
  for (const index of [...headings.keys()].sort((one, other) => bestOf(other) - bestOf(one) || one - other)) {
    for (const candidate of candidates[index] ?? []) {
      const words = wordSet(text, candidate.start, candidate.end);
      if (taken.some((other) => similarity(other, words) >= TOO_SIMILAR)) continue;
      taken.push(words);
      points[index] = candidate;
      break;
    }
  }
  return headings.map(({ start, end }, index) => ({ heading: { start, end }, point: points[index] }));
}

/** The headings of the highest level that divides the document, and of those above it. */
function sectionsOf(headings: readonly Heading[]): readonly Heading[] {
  const levels = [...new Set(headings.map(({ level }) => level))].sort((one, other) => one - other);
  const level = levels.find((one) => headings.filter((other) => other.level === one).length >= MIN_SECTIONS);
  if (level === undefined) return headings.slice(0, MAX_SECTIONS);
  return headings.filter((heading) => heading.level <= level).slice(0, MAX_SECTIONS);
}

/** The level of a heading whose document does not say it. */
const SECTION = 2;

function markedIn(blocks: readonly DocumentBlock[]): readonly Heading[] {
  return blocks.flatMap(({ kind, start, end, level = SECTION }) =>
    kind === "heading" ? [{ start, end, level }] : [],
  );
}

// Plain text and PDF mark no headings. Those that name themselves are found by their form, alone in their paragraph.

const CHAPTER =
  /^(?:(?:chapter|part|book|appendix|act|letter|kapitel|teil|anhang|chapitre|partie|livre|capítulo|capitolo|parte|rozdział|глава|часть|книга|розділ|chương|phần|الفصل|الباب|अध्याय)\s+[\p{L}\p{N}]{1,12}(?![\p{L}\p{N}])|第[\d〇一二三四五六七八九十百]{1,5}[章编編篇部回卷])/iu;
const NUMBERED = /^(?:\d{1,2}((?:\.\d{1,2}){0,3})\.?|[IVX]{1,5}\.)\s+\p{L}/u;
const CAPITALS = /^\p{Lu}[\p{Lu}\p{N} ,&'’()/:-]{2,60}$/u;
const ENDS_LIKE_SENTENCE = /[,;.!?。！？]$/u;
const MAX_HEADING_CHARS = 100;

function headingsByForm(text: string, units: Units): readonly Heading[] {
  const found: Heading[] = [];
  for (let unit = 0; unit < units.count; unit++) {
    if (!units.opensParagraph(unit)) continue;
    const start = units.start(unit);
    const beginning = text.slice(start, start + MAX_HEADING_CHARS + 2);
    const blank = beginning.indexOf("\n\n");
    if (blank < 0) continue;
    const level = levelByForm(beginning.slice(0, blank));
    if (level !== undefined) found.push({ start, end: start + blank, level });
  }
  return found;
}

function levelByForm(line: string): number | undefined {
  if (CHAPTER.test(line)) return 1;
  if (line.includes("\n") || ENDS_LIKE_SENTENCE.test(line)) return undefined;
  const numbered = NUMBERED.exec(line);
  if (numbered !== null) return SECTION + (numbered[1] ?? "").split(".").length - 1;
  return CAPITALS.test(line) ? SECTION : undefined;
}
