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
