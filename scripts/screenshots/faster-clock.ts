/** The time of day of this process, which the gateway that runs in it shows. */
export interface FasterClock {
  /** From here on the time of day goes faster. */
  readonly start: () => void;
  /** Whether it has reached the present; from then on it is the true one. */
  readonly isOver: () => boolean;
}

/**
 * Lets ten minutes of the charts pass in less. The time of day is in the past until it is started, and reaches the
 * present when `takesMs` have passed. Durations are not touched: they are measured with another clock.
 */
export function setClockBack(shownMs: number, takesMs: number): FasterClock {
  const trueNow = Date.now;
  let started: number | undefined;
  const passed = (): number => (started === undefined ? 0 : Math.min(1, (trueNow() - started) / takesMs));
  Date.now = () => Math.round(trueNow() - (1 - passed()) * (shownMs - takesMs));
  return {
    start: () => {
      started = trueNow();
    },
    isOver: () => {
      if (passed() < 1) return false;
      Date.now = trueNow;
      return true;
    },
  };
}
