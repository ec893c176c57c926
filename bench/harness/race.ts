/** One thing to time. `run` does the work once and returns something, so that it cannot be optimised away. */
export interface Candidate {
  readonly name: string;
  readonly run: () => unknown;
}

export interface Timing {
  readonly name: string;
  /** Microseconds for one run: median over rounds, and the tenth and ninetieth percentile. */
  readonly medianUs: number;
  readonly p10Us: number;
  readonly p90Us: number;
  /** Median of the per-round quotients to the baseline, which cancels the machine's drift. */
  readonly ratio: number;
  readonly ratioP10: number;
  readonly ratioP90: number;
}

export interface RaceOptions {
  readonly rounds?: number;
  readonly warmUpRounds?: number;
  /** About how long one candidate's turn lasts. */
  readonly turnMs?: number;
}

// A property that outlives the run: without it the engine may drop work whose result is not read.
const kept: { last?: unknown } = {};

function timeTurn(run: () => unknown, repeats: number): number {
  const start = process.hrtime.bigint();
  for (let index = 0; index < repeats; index++) kept.last = run();
  return Number(process.hrtime.bigint() - start) / 1_000 / repeats;
}

function repeatsFor(run: () => unknown, turnMs: number): number {
  for (let index = 0; index < 20; index++) kept.last = run();
  return Math.max(1, Math.round((turnMs * 1_000) / Math.max(timeTurn(run, 5), 0.05)));
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Medians and spread of one candidate's times, round by round against the baseline's. */
export function summarize(name: string, own: readonly number[], baseline: readonly number[]): Timing {
  const sorted = own.toSorted((a, b) => a - b);
  const ratios = own.map((took, round) => took / (baseline[round] ?? Number.NaN)).toSorted((a, b) => a - b);
  return {
    name,
    medianUs: percentile(sorted, 0.5),
    p10Us: percentile(sorted, 0.1),
    p90Us: percentile(sorted, 0.9),
    ratio: percentile(ratios, 0.5),
    ratioP10: percentile(ratios, 0.1),
    ratioP90: percentile(ratios, 0.9),
  };
}

/** Times candidates turn by turn, the order rotating each round; the first one is the baseline. */
export function race(candidates: readonly Candidate[], options: RaceOptions = {}): Timing[] {
  const { rounds = 40, warmUpRounds = 5, turnMs = 10 } = options;
  const repeats = candidates.map(({ run }) => repeatsFor(run, turnMs));
  const times: number[][] = candidates.map(() => []);
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (turn + round) % candidates.length;
      const took = timeTurn(candidates[index]?.run ?? (() => undefined), repeats[index] ?? 1);
      if (round >= warmUpRounds) times[index]?.push(took);
    }
  }
  return candidates.map(({ name }, index) => summarize(name, times[index] ?? [], times[0] ?? []));
}
