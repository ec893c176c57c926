import { type RaceOptions, type Timing, summarize } from "./race.ts";

/** One thing to time that waits for something. `run` gets a number that never repeats. */
export interface AsyncCandidate {
  readonly name: string;
  readonly run: (number: number) => Promise<unknown>;
}

let runs = 0;

async function timeTurn({ run }: AsyncCandidate, repeats: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let index = 0; index < repeats; index++) await run(runs++);
  return Number(process.hrtime.bigint() - start) / 1_000 / repeats;
}

/** Times candidates turn by turn, the order rotating each round; the first one is the baseline. */
export async function raceAsync(
  candidates: readonly AsyncCandidate[],
  { rounds = 40, warmUpRounds = 5, turnMs = 10 }: RaceOptions = {},
): Promise<Timing[]> {
  const repeats: number[] = [];
  for (const candidate of candidates) {
    await timeTurn(candidate, 5);
    repeats.push(Math.max(1, Math.round((turnMs * 1_000) / Math.max(await timeTurn(candidate, 3), 1))));
  }
  const times: number[][] = candidates.map(() => []);
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (turn + round) % candidates.length;
      const candidate = candidates[index];
      if (candidate === undefined) continue;
      const took = await timeTurn(candidate, repeats[index] ?? 1);
      if (round >= warmUpRounds) times[index]?.push(took);
    }
  }
  return candidates.map(({ name }, index) => summarize(name, times[index] ?? [], times[0] ?? []));
}
