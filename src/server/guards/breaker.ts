import { assertNumber } from "./assert-number.ts";
import { createCallWindow } from "./call-window.ts";

const breakerStates = ["closed", "open", "half-open"] as const;
export type BreakerState = (typeof breakerStates)[number];

export interface BreakerOptions {
  readonly failureShare?: number;
  readonly minimumCalls?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
  readonly now?: () => number;
}

type BreakerEntry =
  | { readonly allowed: true; readonly done: (ok: boolean) => void }
  | { readonly allowed: false; readonly retryAfterMs: number };

export interface Breaker {
  /** `done` counts once. Pass false only for what says that the tool is broken, not for a caller's mistake. */
  enter(): BreakerEntry;
  readonly state: BreakerState;
}

/** Stops calling what keeps failing, then lets one probe at a time through until it succeeds. */
export function createBreaker(options: BreakerOptions = {}): Breaker {
  // A wall clock that is set back would keep the breaker open.
  const { now = () => performance.now() } = options;
  const { failureShare, minimumCalls, windowMs, resetMs } = checked(options);
  const recent = createCallWindow(windowMs);
  let probeAt: number | undefined;
  let isProbing = false;
  // Grows with each change, so that a report on an earlier state changes nothing.
  let era = 0;

  function turn(nextProbeAt: number | undefined, probing = false): void {
    [probeAt, isProbing] = [nextProbeAt, probing];
    recent.clear();
    era++;
  }

  function allow(report: (ok: boolean) => void): BreakerEntry {
    let openFor: number | undefined = era;
    const done = (ok: boolean): void => {
      const isCurrent = openFor === era;
      openFor = undefined;
      if (isCurrent) report(ok);
    };
    return { allowed: true, done };
  }

  function count(ok: boolean): void {
    recent.add(now(), ok);
    if (ok) return;
    const { calls, failures } = recent.totals(now());
    if (calls >= minimumCalls && failures >= failureShare * calls) turn(now() + resetMs);
  }

  function judgeProbe(ok: boolean): void {
    turn(ok ? undefined : now() + resetMs);
  }

  return {
    enter() {
      if (probeAt === undefined) return allow(count);
      const waitMs = probeAt - now();
      if (waitMs > 0) return { allowed: false, retryAfterMs: Math.ceil(waitMs) };
      // A probe that never reports is given up after the same time, and the next call probes.
      turn(now() + resetMs, true);
      return allow(judgeProbe);
    },
    get state() {
      if (probeAt === undefined) return "closed";
      return isProbing || probeAt <= now() ? "half-open" : "open";
    },
  };
}

function checked(options: BreakerOptions): Required<Omit<BreakerOptions, "now">> {
  const { failureShare = 0.5, minimumCalls = 5, windowMs = 30_000, resetMs = 10_000 } = options;
  assertNumber("failureShare", failureShare, { min: 0, max: 1 });
  assertNumber("minimumCalls", minimumCalls, { min: 1, whole: true });
  assertNumber("windowMs", windowMs, { min: 1 });
  assertNumber("resetMs", resetMs, { min: 1 });
  return { failureShare, minimumCalls, windowMs, resetMs };
}
