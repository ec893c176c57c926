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

const breakerStates = ["closed", "open", "half-open"] as const;
export type BreakerState = (typeof breakerStates)[number];

/** Decides when there are too many failures; the breaker reacts in the same way for every rule. */
export interface TripRule {
  /** Whether a report counts if its call began before the breaker's last change. */
  readonly hearsLate: boolean;
  /** Adds a report; true if the breaker must open. */
  add(at: number, ok: boolean): boolean;
  clear(): void;
}

export interface BreakerOptions {
  readonly rule: TripRule;
  /** How long the breaker stays open before a probe. */
  readonly resetMs: number;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Called when the breaker opens and when it closes; not when a failed probe keeps it open. */
  readonly onTurn?: (isOpen: boolean) => void;
}

type BreakerEntry =
  | { readonly allowed: true; readonly done: (ok: boolean) => void }
  | { readonly allowed: false; readonly retryAfterMs: number };

export interface Breaker {
  /** `done` counts once. Pass false only if the callee is broken, not for a caller's mistake. */
  enter(): BreakerEntry;
  readonly state: BreakerState;
}

/** Stops calls to something that keeps failing, then lets one probe at a time through until one succeeds. */
export function createBreaker({ rule, resetMs, now: clock, onTurn }: BreakerOptions): Breaker {
  // If a wall clock were set back, the breaker would stay open.
  const now = clock ?? (() => performance.now());
  let probeAt: number | undefined;
  let isProbing = false;
  // Grows with each change, so that a report on an earlier state is recognised.
  let era = 0;

  function turn(nextProbeAt: number | undefined, probing = false): void {
    const isChange = (nextProbeAt === undefined) !== (probeAt === undefined);
    [probeAt, isProbing] = [nextProbeAt, probing];
    rule.clear();
    era++;
    if (isChange) onTurn?.(nextProbeAt !== undefined);
  }

  function report(ok: boolean): void {
    if (probeAt !== undefined) turn(ok ? undefined : now() + resetMs);
    else if (rule.add(now(), ok)) turn(now() + resetMs);
  }

  function allow(): BreakerEntry {
    const enteredIn = era;
    let isDone = false;
    const done = (ok: boolean): void => {
      if (isDone) return;
      isDone = true;
      if (enteredIn === era || rule.hearsLate) report(ok);
    };
    return { allowed: true, done };
  }

  return {
    enter() {
      if (probeAt === undefined) return allow();
      const waitMs = probeAt - now();
      if (waitMs > 0) return { allowed: false, retryAfterMs: Math.ceil(waitMs) };
      // A probe that never reports is given up after the same time, and the next call is the probe.
      turn(now() + resetMs, true);
      return allow();
    },
    get state() {
      if (probeAt === undefined) return "closed";
      return isProbing || probeAt <= now() ? "half-open" : "open";
    },
  };
}
