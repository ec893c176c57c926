/** Each step is a fifth longer than the one before: figures are right to a tenth. */
const GROWTH = 1.2;
const STEPS = 112;
const LOG_GROWTH = Math.log(GROWTH);
/** So many values are kept as they are: of a few calls people know the figures, and would see that they are not right. */
const EXACT = 16;

/** How often values of which size came, for medians and percentiles in little memory. */
export class Histogram {
  readonly #least: number;
  readonly #counts = new Uint32Array(STEPS);
  #first: number[] = [];
  #total = 0;

  /** Values up to `least` are all alike. */
  constructor(least: number) {
    this.#least = least;
  }

  add(value: number): void {
    const step = value > this.#least ? 1 + Math.floor(Math.log(value / this.#least) / LOG_GROWTH) : 0;
    const place = step < STEPS ? step : STEPS - 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#total += 1;
    if (this.#total <= EXACT) this.#first.push(value);
    else if (this.#first.length > 0) this.#first = [];
  }

  /** Whether its figures are values that came, and not near them. */
  get isExact(): boolean {
    return this.#total <= EXACT;
  }

  /** Adds what another one has seen. */
  take(other: Histogram): void {
    for (let step = 0; step < STEPS; step++)
      this.#counts[step] = (this.#counts[step] ?? 0) + (other.#counts[step] ?? 0);
    this.#total += other.#total;
    this.#first = this.isExact ? [...this.#first, ...other.#first] : [];
  }

  /** The value that this part of all values does not exceed, to a tenth where they are many; 0 where there are none. */
  quantile(part: number): number {
    if (this.#total === 0) return 0;
    const rank = Math.max(1, Math.ceil(part * this.#total));
    if (this.isExact) return this.#first.toSorted((a, b) => a - b)[rank - 1] ?? 0;
    let seen = 0;
    for (let step = 0; step < STEPS; step++) {
      const here = this.#counts[step] ?? 0;
      seen += here;
      if (seen < rank) continue;
      if (step === 0) return this.#least;
      // As if the values of a step were spread evenly over it.
      const inside = (rank - (seen - here)) / here;
      return this.#least * GROWTH ** (step - 1 + inside);
    }
    return 0;
  }
}
