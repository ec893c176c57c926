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

/** A binary heap of positions by rank, equal ranks by position: what is merged next comes out first. */
export class RankHeap {
  #ranks: Int32Array;
  #positions: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#ranks = new Int32Array(capacity);
    this.#positions = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The rank on top. */
  get rank(): number {
    return this.#ranks[0] ?? 0;
  }

  /** The position on top. */
  get position(): number {
    return this.#positions[0] ?? 0;
  }

  push(rank: number, position: number): void {
    if (this.#size === this.#ranks.length) this.#grow();
    let index = this.#size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isAfter(parent, rank, position)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#ranks[index] = rank;
    this.#positions[index] = position;
  }

  /** Removes the top. */
  pop(): void {
    const last = --this.#size;
    const rank = this.#ranks[last] ?? 0;
    const position = this.#positions[last] ?? 0;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= last) break;
      const isRightLess =
        child + 1 < last &&
        this.#isAfter(child, this.#ranks[child + 1] ?? 0, this.#positions[child + 1] ?? 0);
      if (isRightLess) child++;
      if (this.#isAfter(child, rank, position)) break;
      this.#move(child, index);
      index = child;
    }
    this.#ranks[index] = rank;
    this.#positions[index] = position;
  }

  #isAfter(index: number, rank: number, position: number): boolean {
    const own = this.#ranks[index] ?? 0;
    return own > rank || (own === rank && (this.#positions[index] ?? 0) > position);
  }

  #move(from: number, to: number): void {
    this.#ranks[to] = this.#ranks[from] ?? 0;
    this.#positions[to] = this.#positions[from] ?? 0;
  }

  #grow(): void {
    const ranks = new Int32Array(this.#ranks.length * 2);
    const positions = new Int32Array(this.#ranks.length * 2);
    ranks.set(this.#ranks);
    positions.set(this.#positions);
    this.#ranks = ranks;
    this.#positions = positions;
  }
}

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
