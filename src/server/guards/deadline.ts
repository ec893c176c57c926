import { faults } from "../../contract/faults.ts";
import { MAX_TIMER_MS, assertNumber } from "./assert-number.ts";
import { CallCancelled } from "./call-cancelled.ts";

export interface DeadlineOptions {
  readonly timeoutMs?: number | undefined;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs until it settles, the time is up or the caller gives up, whichever is first. The last two abort the signal
 * handed to `run` with the error this rejects with; what `run` does after that is nobody's concern any more.
 */
export async function runWithDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal: outer }: DeadlineOptions = {},
): Promise<T> {
  if (timeoutMs !== undefined) assertNumber("timeoutMs", timeoutMs, { min: 1, max: MAX_TIMER_MS });
  if (outer?.aborted === true) throw new CallCancelled(outer.reason);
  const controller = new AbortController();
  let giveUp: (error: Error) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    giveUp = (error) => {
      reject(error);
      controller.abort(error);
    };
  });
  const cancel = (): void => giveUp(new CallCancelled(outer?.reason));
  outer?.addEventListener("abort", cancel, { once: true });
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => giveUp(faults.timeout(timeoutMs)), timeoutMs);
  try {
    // Called from an async function, a handler that throws at once still joins the race.
    const work = (async () => run(controller.signal))();
    return await Promise.race([stopped, work]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  }
}
