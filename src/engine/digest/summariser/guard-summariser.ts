import { ContractError, MAX_TIMER_MS, assertNumber } from "../../../core/contract/contract-error.ts";
import { createBreaker } from "../../runtime/breaker.ts";
import { failuresInARow } from "../../runtime/trip-rules.ts";
import { runWithDeadline } from "../../runtime/deadline.ts";
import { type SummariseRequest, type Summariser, SummariserError, type Summary } from "./summariser.ts";
import { tidySummary } from "./summary-text.ts";

export interface GuardSummariserOptions {
  /** How long one summary may take. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly breaker?: {
    /** After this many failures in a row the summariser is not called for a while. Default: 3. */
    readonly failures?: number;
    /** How long it is not called before one call tries again. Default: 30,000. */
    readonly resetMs?: number;
  };
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Gets each failure, for a log. */
  readonly onFailure?: (error: SummariserError) => void;
}

const guarded = new WeakSet<Summariser>();
const guards = new WeakMap<Summariser, Summariser>();

/** The guard of a summariser: its own, or one with default settings that is kept for it. */
export function guardOf(summariser: Summariser): Summariser {
  if (guarded.has(summariser)) return summariser;
  const known = guards.get(summariser) ?? guardSummariser(summariser);
  guards.set(summariser, known);
  return known;
}

/**
 * Keeps a summariser that is slow or away from delaying digests: each call has a deadline, after some
 * failures in a row calls fail at once, and one probe at a time finds out when it is back. Guard a summariser
 * once and share it: the guard keeps the state.
 */
export function guardSummariser(summariser: Summariser, options: GuardSummariserOptions = {}): Summariser {
  const { timeoutMs = 30_000, breaker: { failures = 3, resetMs = 30_000 } = {}, now, onFailure } = options;
  assertNumber("timeoutMs", timeoutMs, { min: 1, max: MAX_TIMER_MS });
  assertNumber("breaker.failures", failures, { min: 1, whole: true });
  assertNumber("breaker.resetMs", resetMs, { min: 1 });
  const breaker = createBreaker({ rule: failuresInARow(failures), resetMs, now });

  async function run(request: SummariseRequest): Promise<Summary> {
    const given = await runWithDeadline(async (signal) => summariser.summarise({ ...request, signal }), {
      timeoutMs,
      signal: request.signal,
      onTimeout: () => new SummariserError("timeout", `The summariser took longer than ${timeoutMs} ms.`),
    });
    return tidySummary(given, request);
  }

  const guard: Summariser = {
    name: summariser.name,
    maxInputChars: summariser.maxInputChars,
    async summarise(request) {
      // Before the breaker: a caller who is gone must not use up a probe.
      request.signal.throwIfAborted();
      const entry = breaker.enter();
      if (!entry.allowed)
        throw new SummariserError(
          "circuit_open",
          "The summariser keeps failing and is not called for a while.",
        );
      try {
        const summary = await run(request);
        entry.done(true);
        return summary;
      } catch (thrown) {
        // A caller who gave up, or made a wrong request, says nothing about the summariser.
        if (request.signal.aborted || ContractError.isInstance(thrown)) throw thrown;
        entry.done(false);
        const error = SummariserError.of(thrown);
        onFailure?.(error);
        throw error;
      }
    },
  };
  guarded.add(guard);
  return guard;
}
