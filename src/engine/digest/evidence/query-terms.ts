import { SPACED } from "./character-table.ts";
import { WordReader } from "./word-reader.ts";

export interface QueryTerm {
  /** Its folded letters: a word, or the characters of a pair or triple. */
  readonly letters: string;
  readonly script: number;
  /** Where it stands in the query, in words. */
  readonly place: number;
  /** What it weighs before anybody knows how rare it is. */
  readonly weight: number;
  /** Numbers and short words say the same only when they are the same. */
  readonly isExact: boolean;
}

/** At most this many terms, so that terms and pairs have numbers below 256; of a longer query only the beginning counts. */
export const MAX_TERMS = 128;
/** Words shorter than this are mostly small words such as "the" or "did", in any language. */
const FULL_LENGTH = 8;
/** A capital inside a sentence marks a name, and in German any noun. */
const CAPITAL_WEIGHT = 1.2;
/** In many languages the first word of a question asks, and names nothing. */
const FIRST_WEIGHT = 0.7;
/** One character of a script without spaces: it says something where its pair was not found. */
const SINGLE_WEIGHT = 0.6;
/** Words are compared by their beginnings from this length on. */
export const MIN_STEM = 3;
const DIGIT = /\p{N}/u;
const UPPER = /^\p{Lu}/u;

/** The distinct words of a query, with what their form tells of their weight; no list of stop words is needed. */
export function queryTerms(query: string): readonly QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const reader = new WordReader();
  reader.open(query, 0, query.length);
  for (let place = 0; terms.size < MAX_TERMS && reader.next(); place++) {
    const letters = reader.word();
    const { script } = reader;
    const add = (term: Omit<QueryTerm, "script" | "place">): void => {
      const key = `${script}${term.letters}`;
      if (!terms.has(key) && terms.size < MAX_TERMS) terms.set(key, { ...term, script, place });
    };
    if (script === SPACED) add(wordTerm(letters, place, UPPER.test(query.charAt(reader.at))));
    else {
      if (letters.length > 1) add({ letters, weight: 1, isExact: true });
      if (!isSurrogate(letters)) add({ letters: letters.charAt(0), weight: SINGLE_WEIGHT, isExact: true });
    }
  }
  return [...terms.values()];
}

function wordTerm(letters: string, place: number, isCapital: boolean): Omit<QueryTerm, "script" | "place"> {
  const isNumber = DIGIT.test(letters);
  const isName = isCapital && place > 0;
  let weight = isNumber || isName ? 1 : Math.min(1, letters.length / FULL_LENGTH);
  if (isName) weight *= CAPITAL_WEIGHT;
  if (place === 0) weight *= FIRST_WEIGHT;
  return { letters, weight, isExact: isNumber || letters.length < MIN_STEM };
}

function isSurrogate(letters: string): boolean {
  const unit = letters.charCodeAt(0);
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** A document of fewer blocks is too short to tell common words by how many blocks say them. */
const MIN_BLOCKS = 8;
/** What the weightiest word of a query reaches at least, of what a word found once weighs; "what is the" does not. */
const MIN_RARITY = 0.2;
/** Half of the pairs in a script without spaces stand across two words, so a missing pair does not mean that a passage does not answer. */
const MISSING_GRAM = 0.5;

/** A word of this length means something, even where it stands everywhere because the document is about it. */
const MIN_MEANING = 5;

export interface TermWeights {
  /** By the number of a hit: terms first, pairs from MAX_TERMS on. */
  readonly weights: Float64Array;
  /** What all terms weigh together, and all pairs. */
  readonly total: number;
  readonly pairTotal: number;
  /** Whether the query says nothing that could tell passages apart: only words that are short or stand everywhere. */
  readonly isEmpty: boolean;
}

/** What each term of a query weighs in this document: the rarer, the more. */
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
