import { describe, expect, it } from "vitest";
import { type Breaker, type TripRule, createBreaker, failureShare, failuresInARow } from "./trip-rules.ts";

const resetMs = 10_000;

function shareRule({ minimumCalls = 5 } = {}): TripRule {
  return failureShare({ share: 0.5, minimumCalls, windowMs: 30_000 });
}

function setUp(rule = shareRule()) {
  const clock = { ms: 0 };
  const turns: string[] = [];
  const onTurn = (isOpen: boolean): void => void turns.push(isOpen ? "opened" : "closed");
  return { clock, turns, breaker: createBreaker({ rule, resetMs, now: () => clock.ms, onTurn }) };
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

describe("createBreaker over a share of failures", () => {
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
    const { breaker, clock } = setUp(shareRule({ minimumCalls: 1 }));
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
    const breaker = createBreaker({ rule: shareRule({ minimumCalls: 1 }), resetMs });
    report(breaker, false);
    const entry = breaker.enter();
    expect(entry.allowed ? undefined : Number.isInteger(entry.retryAfterMs)).toBe(true);
  });
});

describe("createBreaker over failures in a row", () => {
  it("opens at the limit, and not before", () => {
    const { breaker } = setUp(failuresInARow(3));
    report(breaker, false, false, true, false, false);
    expect(breaker.state).toBe("closed");
    report(breaker, false);
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it("closes on a late answer: a service that answers is there", () => {
    const { breaker } = setUp(failuresInARow(3));
    const slow = enter(breaker);
    report(breaker, false, false, false);
    slow(true);
    expect(breaker.state).toBe("closed");
  });

  it("rests anew after a late failure", () => {
    const { breaker, clock } = setUp(failuresInARow(3));
    const slow = enter(breaker);
    report(breaker, false, false, false);
    clock.ms = 9_000;
    slow(false);
    expect(breaker.enter()).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it("starts to count again once it has closed", () => {
    const { breaker, clock } = setUp(failuresInARow(3));
    report(breaker, false, false, false);
    clock.ms = 10_000;
    report(breaker, true, false, false);
    expect(breaker.state).toBe("closed");
  });
});

describe("onTurn", () => {
  it("hears of an opening and of a closing once each, whatever happens between", () => {
    const { breaker, clock, turns } = setUp(failuresInARow(1));
    report(breaker, false);
    for (const ms of [10_000, 20_000]) {
      clock.ms = ms;
      report(breaker, false);
    }
    clock.ms = 30_000;
    report(breaker, true, true);
    expect(turns).toEqual(["opened", "closed"]);
  });
});
