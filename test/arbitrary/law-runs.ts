/** `npm run test:full` sets it; `npm test` is for the person who waits. */
export const isFullRun = process.env["WAYBILL_TEST_FULL"] === "1";

const QUICK_RUNS = 50;
const QUICK_SEED = 20_261_115;

/** How much of a law fast-check tries. */
export interface LawRuns {
  readonly numRuns: number;
  readonly seed?: number;
}

/**
 * Every law takes its number of runs from here: `full` runs with a new seed in `npm run test:full`,
 * at most 50 with a fixed seed in `npm test`, so that a quick run gives the same verdict twice.
 * A law whose every run is a whole journey gives a smaller number for `quick`.
 */
export function lawRuns(full: number, quick: number = QUICK_RUNS): LawRuns {
  return isFullRun ? { numRuns: full } : { numRuns: Math.min(full, quick), seed: QUICK_SEED };
}

/**
 * The whole list in `npm run test:full`; in `npm test` at most `quick` of its items, always the same ones. The steps
 * between them differ (3, 5 or 8 items, say), so that a list of combinations is not met in one combination only.
 */
export function someOf<Item>(items: readonly Item[], quick: number): readonly Item[] {
  if (isFullRun) return items;
  const rankOf = (index: number): number => Math.imul(index + 1, 0x9e3779b1) >>> 0;
  const ranks = items.map((_, index) => rankOf(index)).sort((a, b) => a - b);
  return items.filter((_, index) => rankOf(index) <= (ranks[quick - 1] ?? Number.POSITIVE_INFINITY));
}
