import { MAX_TERMS, type QueryTerm } from "./query-terms.ts";

/** A document of fewer blocks is too short to tell common words by how many blocks say them. */
const MIN_BLOCKS = 8;

export interface TermWeights {
  /** By the number of a hit: terms first, pairs from MAX_TERMS on. */
  readonly weights: Float64Array;
  /** What all terms weigh together, and all pairs. */
  readonly total: number;
  readonly pairTotal: number;
  /** Whether the query says nothing that could tell passages apart: no words, or only words that stand everywhere. */
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
  let isEmpty = true;
  for (const [index, { weight, place }] of terms.entries()) {
    const found = blocksWith[index] ?? 0;
    const own = weight * Math.log(1 + Math.max(0, blockCount - found + 0.5) / (found + 0.5));
    weights[index] = own;
    total += own;
    byPlace.set(place, Math.max(own, byPlace.get(place) ?? 0));
    if (blockCount < MIN_BLOCKS || found <= blockCount / 2) isEmpty = false;
  }
  let pairTotal = 0;
  for (const [place, own] of byPlace) {
    const next = byPlace.get(place + 1);
    if (next === undefined || place >= MAX_TERMS) continue;
    weights[MAX_TERMS + place] = Math.min(own, next);
    pairTotal += Math.min(own, next);
  }
  return { weights, total, pairTotal, isEmpty };
}
