/** More runs than this are counted, not listed. */
const MAX_RUNS = 12;

function runsOf(numbers: readonly number[]): (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** Page numbers in rising order as people write them: `3, 5-9 and 40 more`. */
export function listPages(numbers: readonly number[]): string {
  const runs = runsOf(numbers);
  const shown = runs.slice(0, MAX_RUNS);
  const words = shown.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const left = runs.slice(MAX_RUNS).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return left === 0 ? words.join(", ") : `${words.join(", ")} and ${left} more`;
}
