import { NEWLINE, SPACE, boundaryOf } from "./character-table.ts";
import { findUnitEnd } from "./find-unit-end.ts";

/** The sentences of a text in order, in columns: 50 MB have half a million of them. */
export class Units {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #flags: Uint8Array;
  #count = 0;

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

  /** Whether a paragraph (or a page) begins with it. */
  opensParagraph(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PARAGRAPH) !== 0;
  }

  /** Whether a page begins with it. */
  opensPage(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PAGE) !== 0;
  }

  /** Whether it is a whole sentence: neither a piece of a longer one nor a line without an end. */
  isWhole(index: number): boolean {
    return ((this.#flags[index] ?? 0) & IS_WHOLE) === IS_WHOLE;
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

function widened(from: Uint32Array, size: number): Uint32Array {
  const to = new Uint32Array(size);
  to.set(from);
  return to;
}

/** What a run of units, from `from` to before `to`, is worth. */
export interface RunScorer {
  /** Whether it is worth anything. */
  readonly hasHits: (from: number, to: number) => boolean;
  /** 0 to 1. */
  readonly score: (from: number, to: number) => number;
}

// Cuts a text into sentences in any script, in one pass and without a segmenter, which is quadratic over long texts.
// A unit never holds white space at its ends, never crosses a paragraph and is never longer than asked.

/** Splits one page of a text into units, one at a time, so that a long page can be read with pauses. */
export class UnitSplitter {
  readonly #text: string;
  readonly #to: number;
  readonly #maxChars: number;
  #start: number;
  #flags = OPENS_PAGE | OPENS_PARAGRAPH | BEGINS_SENTENCE;

  constructor(text: string, from: number, to: number, maxChars: number) {
    this.#text = text;
    this.#to = to;
    this.#maxChars = maxChars;
    this.#start = skipSpace(text, from, to);
  }

  /** Adds the next unit; false when the page has no more. */
  next(units: Units): boolean {
    const text = this.#text;
    const start = this.#start;
    if (start >= this.#to) return false;
    const stop = findUnitEnd(text, start, this.#to, this.#maxChars);
    const end = trimEnd(text, start, stop.at);
    units.push(start, end, this.#flags | (stop.isSentence ? ENDS_SENTENCE : 0));
    this.#start = skipSpace(text, stop.at, this.#to);
    this.#flags = stop.isPiece ? 0 : BEGINS_SENTENCE;
    if (isBlankLine(text, end, this.#start)) this.#flags = OPENS_PARAGRAPH | BEGINS_SENTENCE;
    return true;
  }
}

/** Splits a stretch of a text, taken as one page, into `units`. */
export function splitUnits(text: string, from: number, to: number, maxChars: number, units: Units): void {
  const splitter = new UnitSplitter(text, from, to, maxChars);
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
  return kind === SPACE || kind === NEWLINE;
}

function isBlankLine(text: string, from: number, to: number): boolean {
  for (let at = from; at + 1 < to; at++) {
    if (text.charCodeAt(at) === 0x0a && text.charCodeAt(at + 1) === 0x0a) return true;
  }
  return false;
}
