import { SPACED } from "./character-table.ts";
import { MIN_STEM, type QueryTerm } from "./query-terms.ts";
import type { WordReader } from "./word-reader.ts";

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
    const { letters, length, script } = reader;
    const entries = this.#heads[keyAt(letters, 0, length)];
    if (entries !== undefined) {
      for (const { term, offset } of entries) this.#note(term, this.#compare(term, offset, reader));
    }
    if (script !== SPACED) {
      const singles = length > 1 ? this.#heads[keyAt(letters, 0, 1)] : undefined;
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

  #compareFirst(term: number, { letters, script }: WordReader): number {
    const own = this.#letters[term];
    const isSame = own?.length === 1 && own[0] === letters[0] && this.terms[term]?.script === script;
    return isSame ? FULL : 0;
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
