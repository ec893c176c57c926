import { assertNumber } from "../../contract/contract-error.ts";

export interface Concurrency {
  /** A release to call when the work has ended, or undefined when no place is free. */
  enter(): (() => void) | undefined;
  readonly inFlight: number;
}

/** At most `max` calls at a time. There is no queue: a further call is refused at once. */
export function createConcurrency(max: number): Concurrency {
  assertNumber("concurrency", max, { min: 1, whole: true });
  let inFlight = 0;
  return {
    enter() {
      if (inFlight >= max) return undefined;
      inFlight++;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        inFlight--;
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}
