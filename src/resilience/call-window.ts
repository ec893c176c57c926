const SLOTS = 10;

interface Slot {
  readonly index: number;
  calls: number;
  failures: number;
}

export interface CallWindow {
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
