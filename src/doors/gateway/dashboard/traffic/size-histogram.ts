// Sizes and times of many calls, for medians and percentiles.

/** Each step is a fifth longer than the one before: figures are accurate to a tenth. */
const GROWTH = 1.2;
const STEPS = 112;
const LOG_GROWTH = Math.log(GROWTH);
/** This many values are kept exactly: with few calls people know the figures, and would notice wrong ones. */
const EXACT = 16;

/** A histogram as data: a few values, or pairs of a step and how many values it has. */
export interface KeptHistogram {
  readonly first?: readonly number[] | undefined;
  readonly counts?: readonly number[] | undefined;
}

/** Counts values by size, for medians and percentiles in little memory. */
export class SizeHistogram {
  readonly #least: number;
  readonly #counts = new Uint32Array(STEPS);
  #first: number[] = [];
  #total = 0;

  /** Values up to `least` are treated as equal. */
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

  /** Whether its figures are actual values, not approximations. */
  get isExact(): boolean {
    return this.#total <= EXACT;
  }

  /** Adds the values of another histogram. */
  take(other: SizeHistogram): void {
    for (let step = 0; step < STEPS; step++)
      this.#counts[step] = (this.#counts[step] ?? 0) + (other.#counts[step] ?? 0);
    this.#total += other.#total;
    this.#first = this.isExact ? [...this.#first, ...other.#first] : [];
  }

  /** In few numbers, to be restored elsewhere. */
  kept(): KeptHistogram {
    if (this.isExact) return { first: this.#first };
    const counts: number[] = [];
    this.#counts.forEach((times, step) => {
      if (times > 0) counts.push(step, times);
    });
    return { counts };
  }

  /** Adds the values of a kept histogram. */
  takeKept({ first, counts = [] }: KeptHistogram): void {
    for (const value of first ?? []) this.add(value);
    for (let at = 0; at + 1 < counts.length; at += 2) {
      const step = counts[at] ?? 0;
      const times = counts[at + 1] ?? 0;
      if (step >= STEPS) continue;
      this.#counts[step] = (this.#counts[step] ?? 0) + times;
      this.#total += times;
      this.#first = [];
    }
  }

  /**
   * The value that this part of all values does not exceed, accurate to a tenth if there are many; 0 without values.
   */
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
      // Interpolates as if the values of a step were spread evenly over it.
      const inside = (rank - (seen - here)) / here;
      return this.#least * GROWTH ** (step - 1 + inside);
    }
    return 0;
  }
}
