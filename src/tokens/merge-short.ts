import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** Longest piece that is merged by looking at all pairs again and again; above it a heap is faster. */
export const MAX_SHORT_BYTES = 96;

// Reused, since nothing here runs concurrently: where each part starts, and the rank of it joined with the next.
const starts = new Int32Array(MAX_SHORT_BYTES + 1);
const ranks = new Int32Array(MAX_SHORT_BYTES + 1);

/** How many tokens a short piece has: the pair of lowest rank, leftmost first, is joined until none is left. */
export function mergeShort(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number): number {
  let parts = end - start;
  for (let part = 0; part <= parts; part++) starts[part] = start + part;
  for (let part = 0; part + 1 < parts; part++) ranks[part] = vocabulary.rankOfPair(bytes, start + part);
  const join = (part: number): number =>
    part + 2 > parts ? NO_RANK : vocabulary.rankOf(bytes, starts[part] ?? 0, starts[part + 2] ?? 0);
  for (;;) {
    const lowest = lowestOf(parts - 1);
    if (lowest < 0) return parts;
    parts--;
    starts.copyWithin(lowest + 1, lowest + 2, parts + 2);
    ranks.copyWithin(lowest, lowest + 1, parts);
    ranks[lowest] = join(lowest);
    if (lowest > 0) ranks[lowest - 1] = join(lowest - 1);
  }
}

function lowestOf(pairs: number): number {
  let lowest = -1;
  let rank = NO_RANK;
  for (let pair = 0; pair < pairs; pair++) {
    const own = ranks[pair] ?? NO_RANK;
    if (own < rank) {
      rank = own;
      lowest = pair;
    }
  }
  return lowest;
}
