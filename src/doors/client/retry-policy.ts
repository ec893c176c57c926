import type { ToolFacts } from "./connection.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";

export interface RetryOptions {
  /** The most attempts for one call. Default: 3. */
  readonly attempts?: number;
  /** The first pause; each later pause is twice as long. */
  readonly baseMs?: number;
  readonly maxMs?: number;
  /** How long all attempts and pauses of one call may take together. */
  readonly budgetMs?: number;
  /** Tools that may be repeated although they do not declare it: all of them, or these. */
  readonly repeat?: "always" | readonly string[];
}

export type RetryRules = Required<Omit<RetryOptions, "repeat">> & Pick<RetryOptions, "repeat">;

export const defaultRetry: RetryRules = { attempts: 3, baseMs: 250, maxMs: 30_000, budgetMs: 120_000 };

/** What is known when a call has failed. */
interface FailedAttempt {
  readonly error: ResponseError;
  readonly tool: string;
  /** The number of attempts, including this one. */
  readonly attempt: number;
  readonly facts: ToolFacts | undefined;
  /** The caller has checked the state and wants the call repeated. */
  readonly isConflictSettled: boolean;
}

/** The call was refused before the tool ran. A rate limit of a service behind the tool does not show that. */
function isRefusal({ retryRule, details }: ResponseError): boolean {
  const executed = details?.["executed"];
  return executed === "no" || (retryRule === "after_delay" && executed === undefined);
}

/** Whether the tool decides if the call may be repeated. */
export function dependsOnTool(error: ResponseError): boolean {
  const { retryRule } = error;
  return (retryRule === "backoff" || retryRule === "after_delay") && !isRefusal(error);
}

/** Whether repeating the call can do no harm: the tool never ran, or running it twice has the same effect as once. */
function isHarmless(failed: FailedAttempt, { repeat }: RetryRules): boolean {
  const { error, tool, facts, isConflictSettled } = failed;
  if (isRefusal(error) || isConflictSettled) return true;
  return facts?.isRepeatable === true || repeat === "always" || repeat?.includes(tool) === true;
}

function isWorthwhile({ error, isConflictSettled }: FailedAttempt): boolean {
  const { retryRule } = error;
  if (retryRule === "check_state") return isConflictSettled;
  return retryRule === "after_delay" || retryRule === "backoff";
}

/** How long to wait before the next attempt; undefined if the call is not repeated. */
export function pauseBeforeRetry(
  failed: FailedAttempt,
  rules: RetryRules,
  random: () => number,
): number | undefined {
  const { error, attempt } = failed;
  if (attempt >= rules.attempts || !isWorthwhile(failed) || !isHarmless(failed, rules)) return undefined;
  const asked = error.retryAfterSeconds;
  if (asked !== undefined) return asked * 1_000;
  const longest = Math.min(rules.maxMs, rules.baseMs * 2 ** (attempt - 1));
  // Clients that failed at the same time must not retry at the same time.
  return Math.round(longest * (0.5 + random() / 2));
}

/** Timers count milliseconds in 31 bits; a longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason as soon as the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
    await waitOnce(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}

async function waitOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
