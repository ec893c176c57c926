import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unknownReader } from "../../../../core/readers/readers.ts";
import { profiles } from "../../../../core/contract/profile.ts";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import type { CallRow, Totals } from "../protocol/traffic.ts";
import { CallRing, type NewRow } from "./call-ring.ts";
import { SizeHistogram } from "./size-histogram.ts";
import { KeptCalls } from "./kept-calls.ts";
import { batchesAfter } from "./call-batches.ts";
import { Traffic } from "./traffic.ts";
import { type ToolDoes, toolCalls, watchedState } from "./watched-state.fixture.ts";

const limits = { maxRows: 12, maxTools: 4, tileMs: 1_000, maxTiles: 6 };

const does: fc.Arbitrary<ToolDoes> = fc.oneof(
  fc.lorem({ maxCount: 40 }).map((text): JsonObject => ({ content: [{ type: "text", text }] })),
  fc.constantFrom<ToolDoes>(
    { content: [{ type: "text", text: "Error: gone" }], isError: true },
    { content: [{ type: "text", text: '{"success":false,"error":"late"}' }] },
    { content: [{ type: "text", text: JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id }))) }] },
    new TypeError("broken"),
  ),
);
const happening = fc.record({
  upstream: fc.nat(1),
  tool: fc.constantFrom("a", "b", "c", "d"),
  does,
  waitMs: fc.nat(2_500),
});

/** What a plain recount of rows gives. */
function recount(rows: readonly CallRow[]): Partial<Totals> {
  const sum = (of: (row: CallRow) => number | boolean): number =>
    rows.reduce((total, row) => total + Number(of(row)), 0);
  const byErrorType: Record<string, number> = {};
  for (const { errorType } of rows)
    if (errorType !== undefined) byErrorType[errorType] = (byErrorType[errorType] ?? 0) + 1;
  return {
    calls: rows.length,
    failed: sum(({ ending }) => ending === "failed"),
    abandoned: sum(({ ending }) => ending === "abandoned"),
    cut: sum(({ fidelity }) => fidelity !== "full"),
    repaired: sum(({ isRepaired }) => isRepaired),
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    isEstimated: rows.some(({ isCounted }) => !isCounted),
    byErrorType,
  };
}

describe("figures", () => {
  it("are what a plain recount of all rows gives: in all, for each upstream, over tools and over tiles", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
        let now = 1_700_000_000_000;
        const traffic = new Traffic({ bodies: true, limits, now: () => now });
        const calls = ["x", "y"].map((name) => {
          const upstream = watchedState(name);
          traffic.watch(upstream);
          return toolCalls(upstream);
        });
        const rows: CallRow[] = [];
        for (const one of happenings) {
          now += one.waitMs;
          await calls[one.upstream]?.(one.tool, one.does);
          const row = traffic.row(traffic.newestSeq);
          if (row !== undefined) rows.push(row);
        }
        expect(rows).toHaveLength(happenings.length);
        const { totals, tiles, tools } = traffic.overview();
        expect(totals).toMatchObject(recount(rows));
        for (const key of ["calls", "failed", "cut", "tokensIn", "tokensOut"] as const)
          expect(tools.reduce((sum, tool) => sum + tool[key], 0)).toBe(totals[key]);
        const oldest = Math.floor(now / 1_000) * 1_000 - 5_000;
        const shown = rows.filter(({ at }) => at >= oldest);
        for (const key of ["calls", "failed", "tokensIn", "tokensOut"] as const)
          expect(tiles.reduce((sum, tile) => sum + tile[key], 0)).toBe(recount(shown)[key]);
        const named = new Set(tools.map(({ upstream, tool }) => `${upstream} ${tool}`));
        const ofX = rows.filter(({ upstream, tool }) => upstream === "x" && named.has(`x ${tool}`));
        expect(traffic.overview({ upstream: "x" }).totals).toMatchObject(recount(ofX));
        expect(tools.length).toBeLessThanOrEqual(limits.maxTools);
        expect(tiles.length).toBeLessThanOrEqual(limits.maxTiles);
        expect(traffic.page(undefined, 1_000).rows).toEqual(rows.toReversed().slice(0, limits.maxRows));
      }),
      lawRuns(1_000, 20),
    );
  });
});

const anyRow: fc.Arbitrary<NewRow> = fc.record({
  at: fc.nat(),
  upstream: fc.string(),
  tool: fc.string(),
  requestId: fc.string(),
  caller: fc.option(fc.string(), { nil: undefined }),
  ending: fc.constantFrom("ok", "ok", "ok", "failed", "abandoned"),
  errorCode: fc.option(fc.string(), { nil: undefined }),
  errorType: fc.option(fc.string(), { nil: undefined }),
  fidelity: fc.constantFrom("full", "full", "full", "partial", "summary", "reference_only"),
  isUntouched: fc.boolean(),
  isRepaired: fc.boolean(),
  isArchived: fc.boolean(),
  warnings: fc.constantFrom(0, 0, 0, 1, 255),
  dialect: fc.string(),
  serverMs: fc.nat(1_000),
  addedMs: fc.nat(1_000),
  tokensIn: fc.nat(),
  tokensOut: fc.nat(),
  isCounted: fc.boolean(),
  isOwn: fc.boolean(),
});

describe("a ring of rows", () => {
  it("gives back the newest as they were", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (rows, size) => {
        const ring = new CallRing(size);
        for (const row of rows) ring.add(row);
        const all = rows.map((row, index) => ({ seq: index + 1, ...row }));
        const kept = all.map(({ seq }) => ring.row(seq)).filter((row) => row !== undefined);
        expect(kept).toEqual(all.slice(-size));
      }),
      lawRuns(1_000),
    );
  });

  it("tells of every failure, cut and warning that it has, in batches that are not too long", () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 60 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 10 }),
        (rows, after, limit) => {
          const ring = new CallRing(40);
          for (const row of rows) ring.add(row);
          const batches = batchesAfter(ring, after, limit);
          const told = batches.flatMap((batch) => batch.rows);
          const due = rows.map((row, index) => ({ seq: index + 1, ...row })).slice(-40);
          const news = due.filter(({ seq }) => seq > after);
          expect(told.map(({ seq }) => seq)).toEqual(told.map(({ seq }) => seq).toSorted((a, b) => a - b));
          const special = news.filter(
            ({ ending, fidelity, warnings }) => ending !== "ok" || fidelity !== "full" || warnings > 0,
          );
          const seqs = new Set(told.map(({ seq }) => seq));
          expect(special.filter(({ seq }) => !seqs.has(seq))).toEqual([]);
          for (const batch of batches) expect(batch.rows.length).toBeLessThanOrEqual(limit);
          const skipped = batches.reduce((sum, batch) => sum + batch.skipped, 0);
          expect(told.length + skipped).toBe(news.length);
          expect(told.length).toBeGreaterThanOrEqual(Math.min(limit, news.length));
        },
      ),
      lawRuns(1_000),
    );
  });
});

describe("a histogram", () => {
  it("gives the median and the 99th percentile to a fifth, and exactly those of up to 16 values, whatever it was made of", () => {
    const values = fc.array(fc.double({ min: 0.01, max: 10_000, noNaN: true }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(values, values, (some, others) => {
        const whole = new SizeHistogram(0.002);
        for (const value of some) whole.add(value);
        const part = new SizeHistogram(0.002);
        for (const value of others) part.add(value);
        whole.take(part);
        const sorted = [...some, ...others].toSorted((a, b) => a - b);
        expect(whole.isExact).toBe(sorted.length <= 16);
        const near = whole.isExact ? 1 : 1.201;
        for (const share of [0.5, 0.99]) {
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          expect(whole.quantile(share)).toBeGreaterThanOrEqual(exact / near);
          expect(whole.quantile(share)).toBeLessThanOrEqual(exact * near);
        }
      }),
      lawRuns(1_000),
    );
  });
});

describe("kept calls", () => {
  it("never take more than their limit, and the newest of each kind is found", () => {
    const upstream = watchedState("kept");
    const empty = {
      upstream,
      tenant: "t",
      profile: profiles.minimal,
      trace: [],
      notes: undefined,
      fault: undefined,
      contents: undefined,
      reader: {
        row: unknownReader,
        chosenBy: "nothing",
        client: undefined,
        isTyped: false,
        changes: [],
        shown: undefined,
      },
    } as const;
    const adding = fc.record({ bytes: fc.nat(200), isNotable: fc.boolean() });
    fc.assert(
      fc.property(fc.array(adding, { maxLength: 100 }), (all) => {
        const kept = new KeptCalls(1_000);
        for (const [index, { bytes, isNotable }] of all.entries()) {
          kept.add({ seq: index + 1, ...empty }, bytes, isNotable);
          expect(kept.bytes).toBeLessThanOrEqual(1_000);
        }
        for (const isNotable of [true, false]) {
          const newest = all.findLastIndex((one) => one.isNotable === isNotable) + 1;
          expect(kept.find(newest)?.seq ?? 0).toBe(newest);
        }
      }),
      lawRuns(1_000),
    );
  });
});
