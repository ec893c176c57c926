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
