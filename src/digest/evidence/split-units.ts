import { NEWLINE, SPACE, boundaryOf } from "./character-table.ts";
import { findUnitEnd } from "./find-unit-end.ts";
import { BEGINS_SENTENCE, ENDS_SENTENCE, OPENS_PAGE, OPENS_PARAGRAPH, type Units } from "./units.ts";

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
