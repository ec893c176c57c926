import { SPACED } from "./character-table.ts";
import { MAX_TERMS, type QueryTerm } from "./query-terms.ts";

/** A document of fewer blocks is too short to tell common words by how many blocks say them. */
const MIN_BLOCKS = 8;
/** What the weightiest word of a query reaches at least, of what a word found once weighs; "what is the" does not. */
const MIN_RARITY = 0.2;
/** Half of the pairs in a script without spaces stand across two words: not to find one is no sign of not answering. */
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
