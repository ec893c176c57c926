import { describe, expect, it } from "vitest";
import { createToolBreaker } from "./tool-breaker.ts";

describe("createToolBreaker", () => {
  it("by default opens when half of at least five calls failed, for ten seconds", () => {
    const clock = { ms: 0 };
    const breaker = createToolBreaker({ now: () => clock.ms });
    for (const ok of [true, true, true, false, false, false]) {
      expect(breaker.state).toBe("closed");
      const entry = breaker.enter();
      if (entry.allowed) entry.done(ok);
    }
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it.each([{ failureShare: 1.1 }, { minimumCalls: 0 }, { windowMs: 0 }, { resetMs: Number.NaN }])(
    "refuses the options %j",
    (options) => {
      expect(() => createToolBreaker(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    },
  );
});
