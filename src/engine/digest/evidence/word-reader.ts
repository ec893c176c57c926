import {
  NEWLINE,
  NO_LETTER,
  SILENT,
  SPACE,
  SPACED,
  TRIPLED,
  boundaryOf,
  letterOf,
  scriptOf,
  startsSymbol,
} from "./character-table.ts";

/** How many letters of a word are compared; words do not differ only after that. */
const MAX_LETTERS = 40;
const SHARP_S = 0xdf;
const LIGATURE_AE = 0xe6;
const LIGATURE_OE = 0x153;

/**
 * Reads a range of text word by word into one buffer, folded: no strings are made, because most words of a long text
 * are read only once. In scripts without spaces every character gives a word of itself and what follows it: pairs in
 * East Asia, triples in South-East Asia, fewer at the end of a run.
 *
 * `splitWords` of src/core/text is for queries and archives: it makes strings, keeps accents, and gives the parts of a
 * camelCase name. Evidence is compared without accents and vowel points, so that a question typed without
 * them finds its
 * answer, and scoring must know the position of each word in the text.
 */
export class WordReader {
  readonly letters = new Uint16Array(MAX_LETTERS + 1);
  length = 0;
  /** How words of the script are found. */
  script = SPACED;
  /** The position of the word. */
  at = 0;
  #text = "";
  #next = 0;
  #end = 0;

  open(text: string, start: number, end: number): void {
    this.#text = text;
    this.#next = start;
    this.#end = end;
  }

  /** Moves to the next word; false at the end. */
  next(): boolean {
    const text = this.#text;
    const end = this.#end;
    let at = this.#next;
    let unit = 0;
    let letter = NO_LETTER;
    for (; at < end; at++) {
      unit = text.charCodeAt(at);
      letter = letterOf(unit);
      if (letter > SILENT) break;
      if (startsSymbol(unit)) at++;
    }
    if (at >= end) {
      this.#next = end;
      return false;
    }
    this.at = at;
    this.script = scriptOf(unit);
    if (this.script === SPACED) this.#readWord(at);
    else this.#readGram(at, this.script === TRIPLED ? 3 : 2);
    return true;
  }

  /** The word as a string. */
  word(): string {
    return String.fromCharCode(...this.letters.subarray(0, this.length));
  }

  #readWord(start: number): void {
    const text = this.#text;
    const end = this.#end;
    const letters = this.letters;
    let length = 0;
    let at = start;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      const letter = letterOf(unit);
      if (letter === NO_LETTER) {
        if (isInNumber(text, at)) continue;
        break;
      }
      if (letter === SILENT) continue;
      if (scriptOf(unit) !== SPACED) break;
      if (length >= MAX_LETTERS) continue;
      letters[length++] = letter;
      if (unit >= 0xc0) length = this.#spellOut(unit, length);
    }
    this.length = length;
    this.#next = at;
  }

  #spellOut(unit: number, length: number): number {
    if (unit === SHARP_S) this.letters[length] = 0x73;
    else if (unit === LIGATURE_AE || unit === LIGATURE_OE) this.letters[length] = 0x65;
    else return length;
    return Math.min(length + 1, MAX_LETTERS);
  }

  #readGram(start: number, size: number): void {
    let length = 0;
    for (let at = start; at < this.#end && length < size; at++) {
      const unit = this.#text.charCodeAt(at);
      const letter = letterOf(unit);
      // Stray spaces and line breaks do not separate words that are written without spaces.
      if (letter === SILENT || (length > 0 && isSpace(unit))) continue;
      if (letter === NO_LETTER || scriptOf(unit) !== this.script) break;
      this.letters[length++] = letter;
    }
    this.length = length;
    this.#next = start + 1;
  }
}

/** Whether a sign groups the digits of one number: 50,000 and 50.000 are not 50. */
function isInNumber(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const isGrouping = unit === 0x2c || unit === 0x2e || unit === 0x27 || unit === 0x2019;
  return isGrouping && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSpace(unit: number): boolean {
  const boundary = boundaryOf(unit);
  return boundary === SPACE || boundary === NEWLINE;
}

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** A number for the word in the reader: equal words have equal numbers. */
export function hashWord({ letters, length }: WordReader): number {
  let hash = BASIS;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ (letters[index] ?? 0), PRIME);
  return hash >>> 0;
}

/** The distinct words of a range, as numbers. */
export function wordSet(text: string, start: number, end: number): ReadonlySet<number> {
  const words = new Set<number>();
  const reader = new WordReader();
  reader.open(text, start, end);
  while (reader.next()) words.add(hashWord(reader));
  return words;
}

/** The similarity of two sets: 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return common / (a.size + b.size - common);
}
