import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BreakerState, createBreaker, failureShare, failuresInARow } from "./trip-rules.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(2_000);
const windowMs = 1_000;
const resetMs = 500;
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("enter" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("done" as const), which: fc.nat({ max: 5 }), ok: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 60, 100, 499, 500, 1_000),
    }),
  },
);
const options = fc.record({
  share: fc.constantFrom(0.25, 0.5, 1),
  minimumCalls: fc.integer({ min: 1, max: 4 }),
});

interface Rule {
  readonly share: number;
  readonly minimumCalls: number;
}

/** The share of failures: every report is kept for ever and the window is a filter; states are written out in full. */
class Model {
  now = 0;
  state: "closed" | "open" | "probing" = "closed";
  since = 0;
  era = 0;
  reports: { slot: number; ok: boolean }[] = [];

  readonly rule: Rule;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  #go(state: "closed" | "open" | "probing"): void {
    this.state = state;
    this.since = this.now;
    this.era++;
    this.reports = [];
  }

  enter(): number | undefined {
    if (this.state !== "closed") {
      if (this.now - this.since < resetMs) return undefined;
      this.#go("probing");
    }
    return this.era;
  }

  done(era: number, ok: boolean): void {
    if (era !== this.era) return;
    if (this.state === "probing") return this.#go(ok ? "closed" : "open");
    const slot = Math.floor((this.now / windowMs) * 10);
    this.reports.push({ slot, ok });
    const recent = this.reports.filter((report) => report.slot > slot - 10);
    const share = recent.filter((report) => !report.ok).length / recent.length;
    if (!ok && recent.length >= this.rule.minimumCalls && share >= this.rule.share) this.#go("open");
  }

  shown(): BreakerState {
    if (this.state === "open") return this.now - this.since < resetMs ? "open" : "half-open";
    return this.state === "probing" ? "half-open" : "closed";
  }
}

/** Failures in a row, with no word on who reports: every success closes, every failure at the limit opens anew. */
class RowModel {
  now = 0;
  inARow = 0;
  probeAt: number | undefined;
  turns: boolean[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  enter(): boolean {
    if (this.probeAt === undefined) return true;
    if (this.now < this.probeAt) return false;
    this.probeAt = this.now + resetMs;
    return true;
  }

  done(ok: boolean): void {
    this.inARow = ok ? 0 : this.inARow + 1;
    const mustOpen = this.inARow >= this.limit;
    if ((this.probeAt === undefined && mustOpen) || (this.probeAt !== undefined && ok))
      this.turns.push(mustOpen);
    if (ok) this.probeAt = undefined;
    else if (mustOpen) this.probeAt = this.now + resetMs;
  }
}

describe("createBreaker", () => {
  test("opens by a share as the model does, for any sequence of entries, reports and waits", () =>
    fc.assert(
      fc.property(options, fc.array(event, { maxLength: 60 }), (rule, events) => {
        const model = new Model(rule);
        const breaker = createBreaker({
          rule: failureShare({ ...rule, windowMs }),
          resetMs,
          now: () => model.now,
        });
        const calls: { done: (ok: boolean) => void; era: number }[] = [];
        const waits: [number, number][] = [];
        for (const event of events) {
          if (event.kind === "wait") model.now += event.ms;
          if (event.kind === "enter") {
            const era = model.enter();
            const entry = breaker.enter();
            const waitMs = era === undefined ? model.since + resetMs - model.now : 0;
            waits.push([entry.allowed ? 0 : entry.retryAfterMs, waitMs]);
            if (entry.allowed && era !== undefined) calls.push({ done: entry.done, era });
          }
          if (event.kind === "done" && calls.length > 0) {
            const [call] = calls.splice(event.which % calls.length, 1);
            if (call !== undefined) model.done(call.era, event.ok);
            call?.done(event.ok);
          }
          expect(breaker.state).toBe(model.shown());
        }
        expect(waits.filter(([real, expected]) => real !== expected)).toEqual([]);
      }),
      runs,
    ));

  test("opens by failures in a row as the model does, late reports and turns included", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 60 }), (limit, events) => {
        const model = new RowModel(limit);
        const turns: boolean[] = [];
        const breaker = createBreaker({
          rule: failuresInARow(limit),
          resetMs,
          now: () => model.now,
          onTurn: (isOpen) => void turns.push(isOpen),
        });
        const calls: ((ok: boolean) => void)[] = [];
        const entries: [boolean, boolean][] = [];
        for (const event of events) {
          if (event.kind === "wait") model.now += event.ms;
          if (event.kind === "enter") {
            const entry = breaker.enter();
            entries.push([entry.allowed, model.enter()]);
            if (entry.allowed) calls.push(entry.done);
          }
          if (event.kind === "done" && calls.length > 0) {
            const [done] = calls.splice(event.which % calls.length, 1);
            done?.(event.ok);
            model.done(event.ok);
          }
          expect(breaker.state === "closed").toBe(model.probeAt === undefined);
        }
        expect(entries.filter(([real, expected]) => real !== expected)).toEqual([]);
        expect(turns).toEqual(model.turns);
      }),
      runs,
    ));

  test("lets at most one unanswered probe through in any rest", () =>
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 300 }), { maxLength: 40 }), (waits) => {
        let now = 0;
        const breaker = createBreaker({ rule: failuresInARow(1), resetMs, now: () => now });
        const first = breaker.enter();
        if (first.allowed) first.done(false);
        const probes: number[] = [];
        for (const wait of waits) {
          now += wait;
          if (breaker.enter().allowed) probes.push(now);
        }
        expect(probes.every((at, index) => at - (probes[index - 1] ?? 0) >= resetMs)).toBe(true);
      }),
      runs,
    ));
});
