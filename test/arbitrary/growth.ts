const REPEATS = 3;

/** The least processor time that `run` took, in milliseconds. Other processes do not count, whatever the load. */
function costMs(run: () => unknown): number {
  const costs = Array.from({ length: REPEATS }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

/**
 * How many times more a run with the large input costs than one with the small. For inputs that differ by a factor of
 * 8, linear work gives about 8, quadratic 64. What takes under 2 ms counts as 2 ms: below it a clock says little.
 */
export function growth(small: () => unknown, large: () => unknown): number {
  small();
  return Math.max(costMs(large), 2) / Math.max(costMs(small), 2);
}
