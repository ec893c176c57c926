import { RankHeap } from "./rank-heap.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/**
 * How many tokens a long piece has. The same merges as for a short one, but the parts are a linked list and the next
 * pair comes from a heap: n log n, where looking for it would make a megabyte of one letter a matter of minutes.
 */
export function mergeLong(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  for (let part = 0; part <= length; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
  }
  /** The rank of each part joined with the next; an entry of the heap that differs from it is stale. */
  const ranks = new Int32Array(length + 1).fill(NO_RANK);
  const heap = new RankHeap(length + 1);
  const weigh = (part: number): void => {
    const second = next[part] ?? length;
    const rank =
      second >= length ? NO_RANK : vocabulary.rankOf(bytes, start + part, start + (next[second] ?? length));
    ranks[part] = rank;
    if (rank !== NO_RANK) heap.push(rank, part);
  };
  for (let part = 0; part + 1 < length; part++) {
    const rank = vocabulary.rankOfPair(bytes, start + part);
    ranks[part] = rank;
    if (rank !== NO_RANK) heap.push(rank, part);
  }
  let parts = length;
  while (heap.size > 0) {
    const { rank, position } = heap;
    heap.pop();
    if (ranks[position] !== rank) continue;
    const joined = next[position] ?? length;
    const behind = next[joined] ?? length;
    next[position] = behind;
    previous[behind] = position;
    ranks[joined] = NO_RANK;
    parts--;
    weigh(position);
    const before = previous[position] ?? -1;
    if (before >= 0) weigh(before);
  }
  return parts;
}
