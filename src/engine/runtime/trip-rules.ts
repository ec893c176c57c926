import type { TripRule } from "./breaker.ts";

const SLOTS = 10;

interface Slot {
  readonly index: number;
  calls: number;
  failures: number;
}

interface CallWindow {
  add(at: number, ok: boolean): void;
  totals(at: number): { readonly calls: number; readonly failures: number };
  clear(): void;
}

/** Calls and failures of the last `windowMs`, kept in ten slots so that memory does not grow with traffic. */
export function createCallWindow(windowMs: number): CallWindow {
  let slots: Slot[] = [];

  function slotsAt(index: number): Slot[] {
    return slots.filter((slot) => slot.index <= index && slot.index > index - SLOTS);
  }

  function indexOf(at: number): number {
    return Math.floor((at / windowMs) * SLOTS);
  }

  return {
    add(at, ok) {
      const index = indexOf(at);
      slots = slotsAt(index);
      let slot = slots.find((candidate) => candidate.index === index);
      if (slot === undefined) slots.push((slot = { index, calls: 0, failures: 0 }));
      slot.calls++;
      if (!ok) slot.failures++;
    },
    totals(at) {
      const live = slotsAt(indexOf(at));
      const sum = (key: "calls" | "failures"): number => live.reduce((total, slot) => total + slot[key], 0);
      return { calls: sum("calls"), failures: sum("failures") };
    },
    clear() {
      slots = [];
    },
  };
}

/**
 * For something that is either there or not, such as a service behind a connection. One answer shows that it
 * is there, whenever the request was sent, so late reports count too.
 */
export function failuresInARow(limit: number): TripRule {
  let inARow = 0;
  return {
    hearsLate: true,
    add(_, ok) {
      inARow = ok ? 0 : inARow + 1;
      return inARow >= limit;
    },
    clear() {
      inARow = 0;
    },
  };
}

interface FailureShareOptions {
  /** The share of failures that opens the breaker, 0 to 1. */
  readonly share: number;
  /** With fewer calls in the window, the breaker does not open. */
  readonly minimumCalls: number;
  readonly windowMs: number;
}

/**
 * For something that is called often and fails now and then. A share is fair only among calls of one state:
 * late reports of slow calls from an earlier state would blame, or clear, the current one.
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
