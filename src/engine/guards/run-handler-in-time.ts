import { MAX_TIMER_MS, assertNumber } from "../../contract/contract-error.ts";
import { faults } from "../../contract/faults.ts";
import { runWithDeadline } from "../../resilience/deadline.ts";
import { CallCancelled } from "../unanswered.ts";

export interface HandlerDeadlineOptions {
  readonly timeoutMs?: number | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a handler until it settles, or rejects with TIMEOUT or `CallCancelled`, whichever is first. */
export async function runHandlerInTime<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: HandlerDeadlineOptions = {},
): Promise<T> {
  if (timeoutMs !== undefined) assertNumber("timeoutMs", timeoutMs, { min: 1, max: MAX_TIMER_MS });
  const started = performance.now();
  const runToTheEnd = async (stop: AbortSignal): Promise<T> => {
    const value = await run(stop);
    // A handler that does not let go of the thread keeps the timer from firing, and comes back late itself.
    if (timeoutMs === undefined || performance.now() - started <= timeoutMs) return value;
    throw faults.timeout(timeoutMs, { details: { executed: "yes" } });
  };
  return runWithDeadline(runToTheEnd, {
    timeoutMs,
    signal,
    onTimeout: () => faults.timeout(timeoutMs ?? 0),
    onCancel: (reason) => new CallCancelled(reason),
  });
}
