import type { BlockKind, DocumentBlock, DocumentPage, TextSpan } from "../document.ts";
import { NEWLINE, SPACE_CLASS, boundaryOf } from "./word-reader.ts";
import { findUnitEnd, LineEnds, isItem } from "./find-unit-end.ts";

/** The sentences of a text in order, in columns: 50 MB have half a million of them. */
export class Units {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #flags: Uint8Array;
  #count = 0;
  /** Above 0 while an earlier paragraph has no end: the next one may be the rest of its last sentence. */
  unfinished = 0;

  constructor(expected = 64) {
    this.#starts = new Uint32Array(expected);
    this.#ends = new Uint32Array(expected);
    this.#flags = new Uint8Array(expected);
  }

  get count(): number {
    return this.#count;
  }

  push(start: number, end: number, flags: number): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#flags[this.#count++] = flags;
  }

  start(index: number): number {
    return this.#starts[index] ?? 0;
  }

  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** Whether the unit begins a paragraph (or a page). */
  opensParagraph(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PARAGRAPH) !== 0;
  }

  /** Whether the unit begins a page. */
  opensPage(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PAGE) !== 0;
  }

  /** Whether the unit is a whole sentence: neither a piece of a longer one nor a line without a stop. */
  isWhole(index: number): boolean {
    return ((this.#flags[index] ?? 0) & (IS_WHOLE | IS_APART)) === IS_WHOLE;
  }

  /** Whether the unit is a whole line, item or paragraph, with or without a stop. */
  isLine(index: number): boolean {
    return ((this.#flags[index] ?? 0) & (IS_LINE | IS_APART)) === IS_LINE;
  }

  /** Whether its document marks it as a heading, a row of a table or code: it contains no sentence. */
  isApart(index: number): boolean {
    return ((this.#flags[index] ?? 0) & IS_APART) !== 0;
  }

  isCode(index: number): boolean {
    return ((this.#flags[index] ?? 0) & IS_CODE) !== 0;
  }

  #grow(): void {
    const size = Math.ceil(this.#starts.length * 1.5) + 16;
    this.#starts = widened(this.#starts, size);
    this.#ends = widened(this.#ends, size);
    const flags = new Uint8Array(size);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}

const OPENS_PARAGRAPH = 1;
const OPENS_PAGE = 2;
const BEGINS_SENTENCE = 4;
const ENDS_SENTENCE = 8;
const IS_WHOLE = BEGINS_SENTENCE | ENDS_SENTENCE;
const BEGINS_LINE = 16;
const ENDS_LINE = 32;
const IS_LINE = BEGINS_LINE | ENDS_LINE;
const IS_APART = 64;
const IS_CODE = 128;

function widened(from: Uint32Array, size: number): Uint32Array {
  const to = new Uint32Array(size);
  to.set(from);
  return to;
}

/** Scores a run of units, from `from` up to, not including, `to`. */
export interface RunScorer {
  /** Whether the score can be above 0. */
  readonly hasHits: (from: number, to: number) => boolean;
  /** 0 to 1. */
  readonly score: (from: number, to: number) => number;
  /** Whether no passage may contain this unit. */
  readonly isLeftOut?: ((unit: number) => boolean) | undefined;
}

// Splits a text into sentences in any script, in one pass and without a segmenter, which is quadratic over
// long texts. A unit has no white space at its ends, never crosses a paragraph and is never longer than the
// limit.

const begins = {
  sentence: BEGINS_SENTENCE | BEGINS_LINE,
  line: BEGINS_LINE,
  nothing: 0,
} as const;
const ends = {
  sentence: ENDS_SENTENCE | ENDS_LINE,
  line: ENDS_LINE,
  nothing: 0,
} as const;

const kinds: Readonly<Record<BlockKind, number>> = {
  prose: 0,
  item: 0,
  heading: IS_APART,
  row: IS_APART,
  code: IS_APART | IS_CODE,
};

/** Splits one segment of a text into units, one at a time, so that a long page can be read with pauses. */
export class UnitSplitter {
  readonly #text: string;
  readonly #to: number;
  readonly #maxChars: number;
  readonly #lines: LineEnds;
  /** The kind of all its units. */
  readonly #kind: number;
  readonly #isMarked: boolean;
  #start: number;
  #flags: number;

  constructor(text: string, segment: Segment, maxChars: number) {
    const { start, end, kind, opensPage, opensParagraph, isMarked } = segment;
    this.#text = text;
    this.#to = end;
    this.#maxChars = maxChars;
    this.#lines = new LineEnds(text, start, end);
    this.#start = skipSpace(text, start, end);
    this.#kind = kinds[kind];
    this.#isMarked = isMarked;
    this.#flags = (opensPage ? OPENS_PAGE : 0) | (opensParagraph ? OPENS_PARAGRAPH : 0) | begins.sentence;
  }

  /** Adds the next unit; false if the page has no more. */
  next(units: Units): boolean {
    const text = this.#text;
    const start = this.#start;
    if (start >= this.#to) return false;
    const stop = findUnitEnd(text, start, this.#to, this.#maxChars, this.#lines);
    const end = trimEnd(text, start, stop.at);
    const mayGoOn = units.unfinished > 0 && (this.#flags & OPENS_PARAGRAPH) !== 0;
    const flags = mayGoOn && !isItem(text, start) ? this.#flags & ~BEGINS_SENTENCE : this.#flags;
    units.push(start, end, flags | ends[stop.ends] | this.#kind);
    this.#start = skipSpace(text, stop.at, this.#to);
    this.#flags = begins[stop.begins];
    const isLast = this.#start >= this.#to || isBlankLine(text, end, this.#start);
    if (isLast) this.#flags = OPENS_PARAGRAPH | begins.sentence;
    if (stop.ends === "sentence" || this.#isMarked) units.unfinished = 0;
    else if (isLast && isUnfinished(text, start, end)) units.unfinished = MAX_BETWEEN;
    else if (isLast && units.unfinished > 0) units.unfinished--;
    return true;
  }
}

/** If a sentence continues on the next page, usually the number and title of two pages come between its halves. */
const MAX_BETWEEN = 3;
const UNFINISHED_CHARS = 80;

/** Whether a paragraph ends in the middle of a sentence: it is too long for a heading, and introduces no list. */
function isUnfinished(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end - 1) === 0x3a || isItem(text, start)) return false;
  return end - start >= UNFINISHED_CHARS || text.slice(start, end).includes("\n");
}

/** Splits a range of a text, as one page, into `units`. */
export function splitUnits(text: string, from: number, to: number, maxChars: number, units: Units): void {
  const segment = { start: from, end: to, kind: "prose", opensPage: true, opensParagraph: true } as const;
  const splitter = new UnitSplitter(text, { ...segment, isMarked: false }, maxChars);
  while (splitter.next(units));
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(text, at)) at++;
  return at;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text, at - 1)) at--;
  return at;
}

function isSpace(text: string, at: number): boolean {
  const kind = boundaryOf(text.charCodeAt(at));
  return kind === SPACE_CLASS || kind === NEWLINE;
}

function isBlankLine(text: string, from: number, to: number): boolean {
  for (let at = from; at + 1 < to; at++) {
    if (text.charCodeAt(at) === 0x0a && text.charCodeAt(at + 1) === 0x0a) return true;
  }
  return false;
}

/** A range of a text that is split into units separately: a page, or a block of a page. */
interface Segment extends TextSpan {
  readonly kind: BlockKind;
  readonly opensPage: boolean;
  /** Whether a blank line, or nothing, comes before it. */
  readonly opensParagraph: boolean;
  /** Whether the format marks its beginning and end; in plain text a sentence may continue in the next paragraph. */
  readonly isMarked: boolean;
}

/** The parts of a text, in order; without blocks, its pages. Text between two blocks is prose. */
export function* segmentsOf(
  text: string,
  pages: readonly DocumentPage[] | undefined,
  blocks: readonly DocumentBlock[] | undefined,
): Generator<Segment> {
  if (blocks === undefined || pages !== undefined) {
    for (const { start, end } of pages ?? [{ start: 0, end: text.length }])
      yield { start, end, kind: "prose", opensPage: true, opensParagraph: true, isMarked: false };
    return;
  }
  let at = 0;
  const segment = (start: number, end: number, kind: BlockKind): Segment => ({
    start,
    end,
    kind,
    opensPage: start === 0,
    opensParagraph: start === 0 || text.slice(Math.max(0, start - 2), start) === "\n\n",
    isMarked: true,
  });
  for (const { start, end, kind } of blocks) {
    if (text.slice(at, start).trim() !== "") yield segment(at, start, "prose");
    yield segment(start, end, kind);
    at = end;
  }
  if (at < text.length) yield segment(at, text.length, "prose");
}
