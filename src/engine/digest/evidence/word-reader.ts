import { isArabic, stemArabic } from "./stem-arabic.ts";
import { MAX_SYLLABLE, VOWELS, joinsSyllables, soundOf } from "./vietnamese.ts";

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
  /** The length of a gram's first part, a character or a syllable; of a word, all of it. */
  firstLength = 0;
  /** How words of the script are found. */
  script = SPACED;
  /** The position of the word. */
  at = 0;
  readonly #isSyllabic: boolean;
  #text = "";
  #next = 0;
  #end = 0;

  /** A syllabic reader gives short words in pairs, with their accents, as Vietnamese needs them. */
  constructor(isSyllabic = false) {
    this.#isSyllabic = isSyllabic;
  }

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
    if (this.script !== SPACED) this.#readGram(at, this.script === TRIPLED ? 3 : 2);
    else if (!this.#isSyllabic || !this.#readSyllables(at)) this.#readWord(at);
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
    this.length = isArabic(letters[0] ?? 0) ? stemArabic(letters, length) : length;
    this.firstLength = this.length;
    this.#next = at;
  }

  /** A syllable and the one after it, as one gram; false for a word too long to be a syllable. */
  #readSyllables(start: number): boolean {
    this.length = 0;
    const end = this.#readSyllable(start);
    if (end === undefined) return false;
    this.script = SYLLABLES;
    this.firstLength = this.length;
    this.#next = end;
    let second = end;
    while (second < this.#end && joinsSyllables(this.#text.charCodeAt(second))) second++;
    if (second === end || second === this.#end) return true;
    const unit = this.#text.charCodeAt(second);
    if (letterOf(unit) <= SILENT || scriptOf(unit) !== SPACED) return true;
    this.letters[this.length++] = 0x20;
    if (this.#readSyllable(second) === undefined) this.length = this.firstLength;
    return true;
  }

  /** Adds the letters of a syllable, then its tone, and gives its end; undefined if it is too long. */
  #readSyllable(start: number): number | undefined {
    const from = this.length;
    const { letters } = this;
    let length = from;
    let tone = 0;
    let at = start;
    for (; at < this.#end; at++) {
      const unit = this.#text.charCodeAt(at);
      const letter = letterOf(unit);
      if (letter === NO_LETTER) {
        if (isInNumber(this.#text, at)) continue;
        break;
      }
      if (letter === SILENT) continue;
      if (scriptOf(unit) !== SPACED) break;
      if (length - from === MAX_SYLLABLE) return undefined;
      const sound = soundOf(unit);
      letters[length++] = sound & 0xffff;
      tone ||= sound >>> 16;
    }
    // At the end of a syllable after a consonant, y and i are one sound: kỹ and kĩ are one word.
    const isFinalY = letters[length - 1] === 0x79 && length - from > 1;
    if (isFinalY && !VOWELS.has(letters[length - 2] ?? 0)) letters[length - 1] = 0x69;
    // The tone stands last, so that hòa and hoà are one word.
    if (tone > 0) letters[length++] = tone;
    this.length = length;
    return at;
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
    this.firstLength = 1;
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
  return boundary === SPACE_CLASS || boundary === NEWLINE;
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

// The meaning of each UTF-16 unit for cutting and comparing, computed once per unit and cached: a property
// test per character would cost more than the rest of a digest.

/** Classes of units for the end of a passage; plain units are skipped. */
export const PLAIN = 0;
export const NEWLINE = 1;
export const SPACE_CLASS = 2;
/** Ends a sentence if white space follows: . ! ? */
export const POINT = 3;
/** Ends a sentence by itself, as in Chinese, Hindi or Amharic. */
export const STOP = 4;
/** Closes a quotation or bracket, and belongs to the sentence it follows. */
export const CLOSE = 5;
/** Ends a part of a sentence: , ; : */
export const CLAUSE = 6;
/** A unit of a script that has neither spaces between words nor full stops. */
export const UNSTOPPED = 7;
const UNKNOWN = 255;

/** How the words of a script are found: by spaces, as pairs of characters, as triples, as pairs of syllables. */
export const SPACED = 0;
const PAIRED = 1;
const TRIPLED = 2;
export const SYLLABLES = 3;

/** Not part of a word. */
const NO_LETTER = 1;
/** Part of a word, but ignored in comparisons: vowel points, joiners, soft hyphens. */
export const SILENT = 2;

const boundaries = new Uint8Array(0x1_0000).fill(UNKNOWN);
/** The letter, and in the higher bits the script; 0 while unknown. */
const letters = new Uint32Array(0x1_0000);
const SCRIPT_SHIFT = 16;

const STOPS = /[。！？｡．।॥؟۔።፧፨။།༎។៕։᠃᠉꘎꘏꤯꩝꩞꩟꫰꯫﹒﹖﹗]/u;
const POINTS = /[.!?…‼⁇⁈⁉]/u;
const CLOSES = /[\p{Pe}\p{Pf}"'’”]/u;
const CLAUSES = /[,;:、，；：،؛–—၊៖፣፤፥]/u;
const PAIRS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Yi}]/u;
const TRIPLES =
  /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Javanese}\p{scx=Balinese}]/u;
const STOPLESS = /[\p{scx=Thai}\p{scx=Lao}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;
const DIGIT = /\p{Nd}/u;
/** Optional in writing: soft hyphen, accents, Hebrew and Arabic points, tatweel, joiners, variation selectors. */
const SILENTS: readonly (readonly [from: number, to: number])[] = [
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x200c, 0x200d],
  [0xfe00, 0xfe0f],
];

/** The class of a unit for the end of a passage. */
export function boundaryOf(unit: number): number {
  const known = boundaries[unit];
  if (known !== undefined && known !== UNKNOWN) return known;
  return (boundaries[unit] = findBoundary(unit));
}

function findBoundary(unit: number): number {
  if (unit === 0x0a) return NEWLINE;
  const character = String.fromCharCode(unit);
  if (/\s/u.test(character)) return SPACE_CLASS;
  if (STOPS.test(character)) return STOP;
  if (POINTS.test(character)) return POINT;
  if (CLOSES.test(character)) return CLOSE;
  if (CLAUSES.test(character)) return CLAUSE;
  return unit >= 0x0e00 && STOPLESS.test(character) && LETTER.test(character) ? UNSTOPPED : PLAIN;
}

/** The letter for a unit in comparisons, NO_LETTER or SILENT. */
export function letterOf(unit: number): number {
  return (letters[unit] || learn(unit)) & 0xffff;
}

/** How words of the unit's script are found. */
export function scriptOf(unit: number): number {
  return (letters[unit] || learn(unit)) >>> SCRIPT_SHIFT;
}

function learn(unit: number): number {
  return (letters[unit] = findLetter(unit) | (findScript(unit) << SCRIPT_SHIFT));
}

function findLetter(unit: number): number {
  // The planes of emoji contain no letters; halves of other characters beyond the BMP are compared unchanged.
  if (startsSymbol(unit)) return NO_LETTER;
  if (unit >= 0xd800 && unit <= 0xdfff) return unit;
  const character = String.fromCharCode(unit);
  if (SILENTS.some(([from, to]) => unit >= from && unit <= to)) return SILENT;
  if (MARK.test(character)) return unit;
  if (!LETTER.test(character)) return NO_LETTER;
  if (DIGIT.test(character)) return 0x30 + digitOf(unit);
  const folded = character.normalize("NFKD").toLowerCase().normalize("NFKD");
  const first = folded.charCodeAt(0);
  // A final sigma is a sigma; ß, ø, ł and similar letters have no decomposition.
  return FOLDS.get(first) ?? (LETTER.test(folded.charAt(0)) ? first : unit);
}

const FOLDS = new Map(
  [
    "ςσ ßs øo łl đd ıi æa œo ðd þt ħh ёе",
    // Letters that Arabic, Persian and Urdu write differently for one sound, or that are often typed for another.
    "ىي یي ةه ہه ھه ٱا کك",
  ]
    .flatMap((pairs) => pairs.split(" "))
    .map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

/** The value of a decimal digit of any script: ten follow each other, and zero is at 0 or 6 of a row of sixteen. */
function digitOf(unit: number): number {
  const inRow = unit & 15;
  return inRow <= 9 && DIGIT.test(String.fromCharCode(unit - inRow)) ? inRow : inRow - 6;
}

/** Whether a unit is the first half of an emoji or another symbol beyond the BMP. */
function startsSymbol(unit: number): boolean {
  return unit >= 0xd83c && unit <= 0xd83e;
}

function findScript(unit: number): number {
  if (unit < 0x0e00) return SPACED;
  // Most letters beyond the BMP are rare Han; their halves, like those of others, are compared in pairs.
  if (unit >= 0xd800 && unit <= 0xdfff) return PAIRED;
  const character = String.fromCharCode(unit);
  if (PAIRS.test(character)) return PAIRED;
  return TRIPLES.test(character) ? TRIPLED : SPACED;
}
