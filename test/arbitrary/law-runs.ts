/** `npm run test:full` sets it; `npm test` is for the person who waits. */
export const isFullRun = process.env["WAYBILL_TEST_FULL"] === "1";

const QUICK_RUNS = 100;
const QUICK_SEED = 20_261_115;

/** How much of a law fast-check tries. */
export interface LawRuns {
  readonly numRuns: number;
  readonly seed?: number;
}

/**
 * Every law takes its number of runs from here: `full` runs with a new seed in `npm run test:full`,
 * at most 100 with a fixed seed in `npm test`, so that a quick run gives the same verdict twice.
 */
export function lawRuns(full: number): LawRuns {
  return isFullRun ? { numRuns: full } : { numRuns: Math.min(full, QUICK_RUNS), seed: QUICK_SEED };
}

/** The whole list in `npm run test:full`; in `npm test` at most `quick` of its items, spread evenly over it. */
export function someOf<Item>(items: readonly Item[], quick: number): readonly Item[] {
  if (isFullRun || items.length <= quick) return items;
  return Array.from({ length: quick }, (_, at) => items[Math.floor((at * items.length) / quick)] as Item);
}
