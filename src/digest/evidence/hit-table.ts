/** Which terms each unit says, in columns: a row a unit, as many hits a row as it says terms. */
export class HitTable {
  /** Where a unit's hits begin; one more than there are units. */
  #rows: Uint32Array;
  #terms: Uint8Array;
  #strengths: Uint8Array;
  #sums: Uint8Array;
  #rowCount = 0;
  #count = 0;

  constructor(expected = 64) {
    this.#rows = new Uint32Array(expected);
    this.#terms = new Uint8Array(expected);
    this.#strengths = new Uint8Array(expected);
    this.#sums = new Uint8Array(expected);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a hit to the row that is open. `sum` counts repeats, in tenths. */
  push(term: number, strength: number, sum: number): void {
    if (this.#count === this.#terms.length) {
      const size = grown(this.#count);
      this.#terms = widened(this.#terms, new Uint8Array(size));
      this.#strengths = widened(this.#strengths, new Uint8Array(size));
      this.#sums = widened(this.#sums, new Uint8Array(size));
    }
    this.#terms[this.#count] = term;
    this.#strengths[this.#count] = strength;
    this.#sums[this.#count++] = Math.min(255, sum);
  }

  closeRow(): void {
    if (this.#rowCount + 1 >= this.#rows.length) {
      this.#rows = widened(this.#rows, new Uint32Array(grown(this.#rows.length)));
    }
    this.#rows[++this.#rowCount] = this.#count;
  }

  from(row: number): number {
    return this.#rows[row] ?? 0;
  }

  to(row: number): number {
    return this.#rows[row + 1] ?? 0;
  }

  term(hit: number): number {
    return this.#terms[hit] ?? 0;
  }

  strength(hit: number): number {
    return this.#strengths[hit] ?? 0;
  }

  sum(hit: number): number {
    return this.#sums[hit] ?? 0;
  }
}

function grown(size: number): number {
  return Math.ceil(size * 1.5) + 64;
}

function widened<Column extends Uint8Array | Uint32Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
