import { SPACED } from "./character-table.ts";
import { WordReader } from "./word-reader.ts";

export interface QueryTerm {
  /** Its folded letters: a word, or the characters of a pair or triple. */
  readonly letters: string;
  readonly script: number;
  /** Its position in the query, in words. */
  readonly place: number;
  /** Its weight before its rarity is known. */
  readonly weight: number;
  /** Numbers and short words match only if they are equal. */
  readonly isExact: boolean;
}

/** The most terms, so that terms and pairs have numbers below 256; only the beginning of a longer query counts. */
export const MAX_TERMS = 128;
/** Shorter words are mostly function words such as "the" or "did", in any language. */
const FULL_LENGTH = 8;
/** A capital inside a sentence marks a name, and in German any noun. */
const CAPITAL_WEIGHT = 1.2;
/** In many languages the first word of a question is a question word, and names nothing. */
const FIRST_WEIGHT = 0.7;
/** A single character of a script without spaces: it counts if its pair was not found. */
const SINGLE_WEIGHT = 0.6;
/** Words are compared by their beginnings from this length on. */
export const MIN_STEM = 3;
const DIGIT = /\p{N}/u;
const UPPER = /^\p{Lu}/u;

/** The distinct words of a query, with a weight by their form; no list of stop words is needed. */
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
