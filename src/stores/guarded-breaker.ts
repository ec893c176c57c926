/** Counts failures in a row; from the limit on it lets nothing through but one probe at a time. */
export interface GuardedBreaker {
  /** False while the breaker is open and it is not yet time to try again. */
  mayPass(): boolean;
  succeeded(): void;
  failed(): void;
}

export interface GuardedBreakerOptions {
  /** Failures in a row that open it; 3 unless told. */
  readonly failures?: number;
  /** How long it stays open before a probe; 5,000 unless told. */
  readonly resetMs?: number;
}

export function createGuardedBreaker(
  { failures = 3, resetMs = 5_000 }: GuardedBreakerOptions,
  now: () => number,
  onTurn: (isOpen: boolean) => void,
): GuardedBreaker {
  let inARow = 0;
  let probeAt: number | undefined;

  return {
    mayPass() {
      if (probeAt === undefined) return true;
      if (now() < probeAt) return false;
      // A probe that never settles is given up after the same time, and the next call probes.
      probeAt = now() + resetMs;
      return true;
    },
    succeeded() {
      inARow = 0;
      if (probeAt === undefined) return;
      probeAt = undefined;
      onTurn(false);
    },
    failed() {
      inARow++;
      if (inARow < failures) return;
      const isNew = probeAt === undefined;
      probeAt = now() + resetMs;
      if (isNew) onTurn(true);
    },
  };
}
