import type { TripRule } from "./breaker.ts";
import { createCallWindow } from "./call-window.ts";

export interface FailureShareOptions {
  /** Share of failures that opens, 0 to 1. */
  readonly share: number;
  /** Below this many calls in the window nothing opens. */
  readonly minimumCalls: number;
  readonly windowMs: number;
}

/**
 * For what is called often and fails now and then. A share is only fair among calls of one state: what slow calls of an
 * earlier one report would blame, or clear, what runs now.
 */
export function failureShare({ share, minimumCalls, windowMs }: FailureShareOptions): TripRule {
  const recent = createCallWindow(windowMs);
  return {
    hearsLate: false,
    add(at, ok) {
      recent.add(at, ok);
      if (ok) return false;
      const { calls, failures } = recent.totals(at);
      return calls >= minimumCalls && failures >= share * calls;
    },
    clear: () => recent.clear(),
  };
}
