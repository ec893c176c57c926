/** The first wait before another try, and the longest. */
const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/**
 * How long to wait before try number 1, 2, 3 …: twice as long each time. Up to a fifth is left off by chance, so that
 * many open pages do not come back at the same moment.
 */
export function reconnectDelayMs(attempt: number, chance: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(attempt - 1, 30)));
  return Math.round(whole * (1 - chance * 0.2));
}

/** Comments come every 15 seconds: after this long without a byte the connection is dead. */
export const SILENCE_MS = 40_000;
