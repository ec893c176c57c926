import { type Timing, summarize } from "./race.ts";

/** One thing to time on an input that it has not seen. */
interface FreshCandidate<Input> {
  readonly name: string;
  readonly run: (input: Input) => unknown;
}

const kept: { last?: unknown } = {};

function timeOnce<Input>(run: (input: Input) => unknown, input: Input): number {
  const start = process.hrtime.bigint();
  kept.last = run(input);
  return Number(process.hrtime.bigint() - start) / 1_000;
}

/**
 * Times each candidate once in each round, all on the same input, which is new every round: what a cache remembers of
 * whole inputs is of no use then. The order rotates; the first candidate is the baseline.
 */
export function raceFresh<Input>(
  candidates: readonly FreshCandidate<Input>[],
  makeInput: (round: number) => Input,
  { rounds = 15, warmUpRounds = 4 } = {},
): Timing[] {
  const times: number[][] = candidates.map(() => []);
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    const input = makeInput(round);
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (turn + round) % candidates.length;
      const took = timeOnce(candidates[index]?.run ?? (() => undefined), input);
      if (round >= warmUpRounds) times[index]?.push(took);
    }
  }
  return candidates.map(({ name }, index) => summarize(name, times[index] ?? [], times[0] ?? []));
}
