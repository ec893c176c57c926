import { isArabic } from "./stem-arabic.ts";
import { isVietnamese } from "./vietnamese.ts";
import { SPACED, SYLLABLES, WordReader } from "./word-reader.ts";

// Finds which terms of a query each word of a text expresses, and how closely. Words are compared by their
// shared first letters, relative to their lengths, which finds inflected forms in most languages without
// knowing them; and as parts of longer words, for languages with compounds. A table of first letters rejects
// almost every word of a long text at once.

/** An exact match; lower numbers are less certain. */
export const FULL = 100;
/** Words that share fewer of their letters are different words. */
const MIN_SHARE = 0.6;
/** The match of a query word inside a longer word, or of a word that is part of a longer query word. */
const WITHIN_COMPOUND = 60;
const PART_OF_COMPOUND = 50;
const MIN_PART = 5;
/** A compound is longer than its part by at least this much. */
const COMPOUND_MARGIN = 3;
const MAX_ENDING = 3;
const TABLE_SIZE = 4096;

/** A term that words may match which begin with the three letters at its `offset`. */
interface Entry {
  readonly term: number;
  readonly offset: number;
}

export class QueryLexicon {
  readonly terms: readonly QueryTerm[];
  /** The terms that the last word matches, and how closely. */
  readonly found: Uint8Array;
  readonly strengths: Uint8Array;
  foundCount = 0;
  readonly #letters: readonly Uint16Array[];
  readonly #heads = emptyTable<Entry>();
  /** Terms that may be inside longer words, by their first letters. */
  readonly #inner = emptyTable<number>();
  #hasInner = false;

  constructor(terms: readonly QueryTerm[]) {
    this.terms = terms;
    this.found = new Uint8Array(terms.length);
    this.strengths = new Uint8Array(terms.length);
    this.#letters = terms.map(({ letters }) => unitsOf(letters));
    for (const [term, { script, isExact }] of terms.entries()) {
      const letters = this.#letters[term] ?? new Uint16Array();
      addTo(this.#heads, keyAt(letters, 0, letters.length), { term, offset: 0 });
      if (script !== SPACED || isExact) continue;
      for (let offset = 1; offset + MIN_PART <= letters.length; offset++) {
        addTo(this.#heads, keyAt(letters, offset, letters.length), { term, offset });
      }
      if (stemLength(letters.length) < MIN_PART) continue;
      addTo(this.#inner, keyAt(letters, 0, letters.length), term);
      this.#hasInner = true;
    }
  }

  /** Finds the terms that the reader's word matches. */
  look(reader: WordReader): void {
    this.foundCount = 0;
    const { letters, length, firstLength, script } = reader;
    const entries = this.#heads[keyAt(letters, 0, length)];
    if (entries !== undefined) {
      for (const { term, offset } of entries) this.#note(term, this.#compare(term, offset, reader));
    }
    if (script !== SPACED) {
      const singles = length > firstLength ? this.#heads[keyAt(letters, 0, firstLength)] : undefined;
      if (singles !== undefined)
        for (const { term } of singles) this.#note(term, this.#compareFirst(term, reader));
    } else if (this.#hasInner && length >= MIN_PART + COMPOUND_MARGIN) this.#lookInside(reader);
  }

  #note(term: number, strength: number): void {
    if (strength === 0) return;
    for (let index = 0; index < this.foundCount; index++) {
      if (this.found[index] !== term) continue;
      if ((this.strengths[index] ?? 0) < strength) this.strengths[index] = strength;
      return;
    }
    this.found[this.foundCount] = term;
    this.strengths[this.foundCount++] = strength;
  }

  #compare(term: number, offset: number, { letters, length, script }: WordReader): number {
    const own = this.#letters[term] ?? new Uint16Array();
    const { isExact, script: ownScript } = this.terms[term] ?? { isExact: true, script };
    if (script !== ownScript) return 0;
    const shared = sharedLetters(own, offset, letters, length);
    if (offset === 0) {
      if (shared === own.length && shared === length) return FULL;
      if (isExact || script !== SPACED) return 0;
      const share = (2 * shared) / (own.length + length);
      if (shared >= MIN_STEM && share >= MIN_SHARE) return Math.round(FULL * share * share);
    }
    const isPart = length >= MIN_PART && own.length >= length + COMPOUND_MARGIN;
    if (!isPart || shared < Math.max(MIN_PART, stemLength(length))) return 0;
    return standsAtEdge(offset, shared, own.length) ? PART_OF_COMPOUND : 0;
  }

  #compareFirst(term: number, { letters, firstLength, script }: WordReader): number {
    const own = this.#letters[term];
    if (own?.length !== firstLength || this.terms[term]?.script !== script) return 0;
    return sharedLetters(own, 0, letters, firstLength) === firstLength ? FULL : 0;
  }

  #lookInside({ letters, length }: WordReader): void {
    for (let at = 0; at + MIN_PART <= length; at++) {
      const terms = this.#inner[keyAt(letters, at, length)];
      if (terms === undefined) continue;
      for (const term of terms) {
        const own = this.#letters[term];
        if (own === undefined || length < own.length + COMPOUND_MARGIN) continue;
        const needed = stemLength(own.length);
        if (!standsAtEdge(at, needed, length)) continue;
        if (sharedLetters(letters, at, own, needed) >= needed) this.#note(term, WITHIN_COMPOUND);
      }
    }
  }
}

type Table<Item> = (Item[] | undefined)[];

function emptyTable<Item>(): Table<Item> {
  return Array.from({ length: TABLE_SIZE });
}

function addTo<Item>(table: Table<Item>, key: number, item: Item): void {
  const items = table[key];
  if (items === undefined) table[key] = [item];
  else items.push(item);
}

function unitsOf(letters: string): Uint16Array {
  return Uint16Array.from({ length: letters.length }, (_, index) => letters.charCodeAt(index));
}

/** How much of a word stays when its ending changes. */
function stemLength(length: number): number {
  if (length >= 7) return length - 2;
  return length === 6 ? 5 : length;
}

/** Whether a part begins or ends a compound, apart from an ending: in the middle, equal letters are chance. */
function standsAtEdge(at: number, length: number, whole: number): boolean {
  return at === 0 || (at >= COMPOUND_MARGIN && at + length + MAX_ENDING >= whole);
}

/** How many of the first `length` letters of `word` are in `own` from `offset` on. */
function sharedLetters(own: Uint16Array, offset: number, word: Uint16Array, length: number): number {
  const limit = Math.min(own.length - offset, length);
  let shared = 0;
  while (shared < limit && own[offset + shared] === word[shared]) shared++;
  return shared;
}

function keyAt(letters: Uint16Array, at: number, length: number): number {
  const first = letters[at] ?? 0;
  const second = at + 1 < length ? (letters[at + 1] ?? 0) : 0;
  const third = at + 2 < length ? (letters[at + 2] ?? 0) : 0;
  return (first * 961 + second * 31 + third) & (TABLE_SIZE - 1);
}

export interface QueryTerm {
  /** Its folded letters: a word, the characters of a pair or triple, or one or two syllables. */
  readonly letters: string;
  readonly script: number;
  /** Its position in the query, in words. */
  readonly place: number;
  /** Its weight before its rarity is known. */
  readonly weight: number;
  /** Numbers and short words match only if they are equal. */
  readonly isExact: boolean;
  /** Whether it is only the first part of a gram: a single character or syllable. */
  readonly isPart: boolean;
  /** Whether it begins with a capital, and not the question with it. */
  readonly isName: boolean;
}

/** The most terms, so that terms and pairs have numbers below 256; only the beginning of a longer query counts. */
export const MAX_TERMS = 128;
/** Shorter words are mostly function words such as "the" or "did", in any language. */
const FULL_LENGTH = 8;
/** Arabic writes no short vowels, and its stems are compared without article and endings. */
const FULL_ARABIC_LENGTH = 5;
/** A capital inside a sentence marks a name, and in German any noun. */
const CAPITAL_WEIGHT = 1.2;
/** In many languages the first word of a question is a question word, and names nothing. */
const FIRST_WEIGHT = 0.7;
/** A single character of a script without spaces: it counts if its pair was not found. */
const SINGLE_WEIGHT = 0.6;
/** A syllable says more than a character: many are whole words. */
const SYLLABLE_WEIGHT = 0.85;
/** Words are compared by their beginnings from this length on. */
const MIN_STEM = 3;
const DIGIT = /\p{N}/u;
const UPPER = /^\p{Lu}/u;

/** The distinct words of a query, with a weight by their form; no list of stop words is needed. */
export function queryTerms(query: string): readonly QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const composed = query.normalize("NFC");
  const reader = new WordReader(isVietnamese(composed));
  reader.open(composed, 0, composed.length);
  for (let place = 0; terms.size < MAX_TERMS && reader.next(); place++) {
    const letters = reader.word();
    const { script } = reader;
    const isName = place > 0 && UPPER.test(composed.charAt(reader.at));
    const add = (term: Omit<QueryTerm, "script" | "place" | "isName">): void => {
      const key = `${script}${term.letters}`;
      if (!terms.has(key) && terms.size < MAX_TERMS) terms.set(key, { ...term, script, place, isName });
    };
    if (script === SPACED) add(wordTerm(letters, place, isName));
    else {
      const first = letters.slice(0, reader.firstLength);
      const single = script === SYLLABLES ? SYLLABLE_WEIGHT : SINGLE_WEIGHT;
      if (letters.length > first.length) add({ letters, weight: 1, isExact: true, isPart: false });
      if (!isSurrogate(letters)) add({ letters: first, weight: single, isExact: true, isPart: true });
    }
  }
  return [...terms.values()];
}

function wordTerm(
  letters: string,
  place: number,
  isName: boolean,
): Omit<QueryTerm, "script" | "place" | "isName"> {
  const isNumber = DIGIT.test(letters);
  const fullLength = isArabic(letters.charCodeAt(0)) ? FULL_ARABIC_LENGTH : FULL_LENGTH;
  let weight = isNumber || isName ? 1 : Math.min(1, letters.length / fullLength);
  if (isName) weight *= CAPITAL_WEIGHT;
  if (place === 0) weight *= FIRST_WEIGHT;
  return { letters, weight, isExact: isNumber || letters.length < MIN_STEM, isPart: false };
}

function isSurrogate(letters: string): boolean {
  const unit = letters.charCodeAt(0);
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** A document with fewer blocks is too short to recognise common words by the number of their blocks. */
const MIN_BLOCKS = 8;
/** The least weight of a query's heaviest word, as a share of a word found once; "what is the" does not reach it. */
const MIN_RARITY = 0.2;
/** In a script without spaces, half of the pairs span two words, so a passage may answer although a pair is missing. */
const MISSING_GRAM = 0.5;

/** A word of this length has meaning, even if it is everywhere because the document is about it. */
const MIN_MEANING = 5;

export interface TermWeights {
  /** By the number of a hit: terms first, pairs from MAX_TERMS on. */
  readonly weights: Float64Array;
  /** The weight of all terms together, and of all pairs. */
  readonly total: number;
  readonly pairTotal: number;
  /** Whether the query cannot distinguish passages: all its words are short or are everywhere. */
  readonly isEmpty: boolean;
}

/** The weight of each term of a query in this document: the rarer, the heavier. */
export function weighTerms(
  terms: readonly QueryTerm[],
  blocksWith: Float64Array,
  blockCount: number,
): TermWeights {
  const weights = new Float64Array(2 * MAX_TERMS);
  const byPlace = new Map<number, number>();
  let total = 0;
  let heaviest = 0;
  let isNamed = false;
  for (const [index, { letters, weight, place, script }] of terms.entries()) {
    const found = blocksWith[index] ?? 0;
    const own = weight * Math.log(1 + Math.max(0, blockCount - found + 0.5) / (found + 0.5));
    weights[index] = own;
    total += found === 0 && script !== SPACED ? own * MISSING_GRAM : own;
    byPlace.set(place, Math.max(own, byPlace.get(place) ?? 0));
    heaviest = Math.max(heaviest, own);
    if (script === SPACED && letters.length >= MIN_MEANING && found > 0) isNamed = true;
  }
  let pairTotal = 0;
  for (const [place, own] of byPlace) {
    const next = byPlace.get(place + 1);
    if (next === undefined || place >= MAX_TERMS) continue;
    weights[MAX_TERMS + place] = Math.min(own, next);
    pairTotal += Math.min(own, next);
  }
  const isEmpty = !isNamed && blockCount >= MIN_BLOCKS && heaviest < MIN_RARITY * Math.log(1 + blockCount);
  return { weights, total, pairTotal, isEmpty };
}
