import { assertNumber } from "../../contract/contract-error.ts";
import { type Breaker, createBreaker } from "../../resilience/breaker.ts";
import { failureShare } from "../../resilience/trip-rules.ts";

export interface ToolBreakerOptions {
  readonly failureShare?: number;
  readonly minimumCalls?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
  readonly now?: () => number;
}

/** A tool's breaker: opens when a share of its latest calls failed. */
export function createToolBreaker(options: ToolBreakerOptions = {}): Breaker {
  const { failureShare: share = 0.5, minimumCalls = 5, windowMs = 30_000, resetMs = 10_000, now } = options;
  assertNumber("failureShare", share, { min: 0, max: 1 });
  assertNumber("minimumCalls", minimumCalls, { min: 1, whole: true });
  assertNumber("windowMs", windowMs, { min: 1 });
  assertNumber("resetMs", resetMs, { min: 1 });
  return createBreaker({ rule: failureShare({ share, minimumCalls, windowMs }), resetMs, now });
}
