/** `npm run test:full` sets it; `npm test` is for the person who waits. */
export const isFullRun = process.env["WAYBILL_TEST_FULL"] === "1";

const QUICK_RUNS = 50;
const QUICK_SEED = 20_261_115;

/** The seed of the full run. Before a release a maintainer draws a new one with `WAYBILL_LAW_SEED=new npm run test:full`. */
const FULL_SEED = 144_323_065;

/** So one commit has one verdict, on every machine; `WAYBILL_LAW_SEED` sets another seed, "new" draws one. */
function fullSeed(): number {
  const told = process.env["WAYBILL_LAW_SEED"] ?? "";
  if (told === "") return FULL_SEED;
  return told === "new" ? Date.now() % 2 ** 31 : Number(told);
}

/** For laws that draw their values before their tests; those with `lawRuns` have it from there. */
export const lawSeed = isFullRun ? fullSeed() : QUICK_SEED;

/** How much of a law fast-check tries. */
export interface LawRuns {
  readonly numRuns: number;
  readonly seed: number;
}

/**
 * Every law takes its number of runs from here: `full` runs in `npm run test:full`, at most 50 in
 * `npm test`, either with a fixed seed, so that it gives the same verdict twice.
 * A law whose every run is a whole journey gives a smaller number for `quick`.
 */
export function lawRuns(full: number, quick: number = QUICK_RUNS): LawRuns {
  return { numRuns: isFullRun ? full : Math.min(full, quick), seed: lawSeed };
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
