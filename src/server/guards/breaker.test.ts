import { describe, expect, it } from "vitest";
import { type Breaker, type BreakerOptions, createBreaker } from "./breaker.ts";

function setUp(options: BreakerOptions = {}) {
  const clock = { ms: 0 };
  return { clock, breaker: createBreaker({ now: () => clock.ms, ...options }) };
}

function enter(breaker: Breaker): (ok: boolean) => void {
  const entry = breaker.enter();
  if (!entry.allowed) throw new Error("The breaker refuses.");
  return entry.done;
}

function report(breaker: Breaker, ...results: boolean[]): void {
  for (const ok of results) enter(breaker)(ok);
}

function setUpOpen() {
  const parts = setUp();
  report(parts.breaker, false, false, false, false, false);
  return parts;
}

describe("createBreaker", () => {
  it("stays closed below the minimum of calls", () => {
    const { breaker } = setUp();
    report(breaker, false, false, false, false);
    expect(breaker.state).toBe("closed");
  });

  it("opens when the share of failures is reached, and says how long it rests", () => {
    const { breaker, clock } = setUp();
    report(breaker, true, true, true, false, false);
    expect(breaker.state).toBe("closed");
    report(breaker, false);
    expect(breaker.state).toBe("open");
    clock.ms = 4_000;
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 6_000 });
  });

  it("never opens on a success", () => {
    const { breaker } = setUp();
    report(breaker, false, false, false, false, true);
    expect(breaker.state).toBe("closed");
  });

  it("forgets failures that are older than the window", () => {
    const { breaker, clock } = setUp();
    report(breaker, false, false, false, false);
    clock.ms = 30_000;
    report(breaker, false);
    expect(breaker.state).toBe("closed");
  });

  it("lets exactly one probe through after the rest", () => {
    const { breaker, clock } = setUpOpen();
    clock.ms = 10_000;
    expect(breaker.state).toBe("half-open");
    expect(breaker.enter().allowed).toBe(true);
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
    expect(breaker.state).toBe("half-open");
  });

  it("closes when the probe succeeds, with a clean record", () => {
    const { breaker, clock } = setUpOpen();
    clock.ms = 10_000;
    report(breaker, true);
    expect(breaker.state).toBe("closed");
    report(breaker, false, false, false, false);
    expect(breaker.state).toBe("closed");
  });

  it("opens again when the probe fails", () => {
    const { breaker, clock } = setUpOpen();
    clock.ms = 10_000;
    report(breaker, false);
    expect(breaker.state).toBe("open");
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it("gives up a probe that never reports, and hears it no more once another runs", () => {
    const { breaker, clock } = setUpOpen();
    clock.ms = 10_000;
    const lost = enter(breaker);
    clock.ms = 20_000;
    const probe = enter(breaker);
    lost(true);
    expect(breaker.state).toBe("half-open");
    probe(true);
    expect(breaker.state).toBe("closed");
  });

  it("ignores what calls of an earlier state report", () => {
    const { breaker, clock } = setUp({ minimumCalls: 1 });
    const [slow, slower] = [enter(breaker), enter(breaker)];
    report(breaker, false);
    slow(true);
    expect(breaker.state).toBe("open");
    clock.ms = 10_000;
    report(breaker, true);
    slower(false);
    expect(breaker.state).toBe("closed");
  });

  it("counts a report once", () => {
    const { breaker } = setUp();
    const done = enter(breaker);
    for (let round = 0; round < 9; round++) done(false);
    expect(breaker.state).toBe("closed");
  });

  it("rests in whole milliseconds, and runs on a clock of its own when it is given none", () => {
    const breaker = createBreaker({ minimumCalls: 1 });
    report(breaker, false);
    const entry = breaker.enter();
    expect(entry.allowed ? undefined : Number.isInteger(entry.retryAfterMs)).toBe(true);
  });

  it.each([{ failureShare: 1.1 }, { minimumCalls: 0 }, { windowMs: 0 }, { resetMs: Number.NaN }])(
    "refuses the options %j",
    (options) => {
      expect(() => createBreaker(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    },
  );
});
