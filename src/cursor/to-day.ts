const DAY_MS = 86_400_000;

/** Whole days since 1970, in UTC. */
export function toDay(now: (() => Date) | undefined): number {
  return Math.floor((now?.() ?? new Date()).getTime() / DAY_MS);
}
