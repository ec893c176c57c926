import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../test/arbitrary/law-runs.ts";
import { callRow } from "../traffic/call-row.fixture.ts";
import { CallList, MAX_ROWS, firstAtLeast } from "./call-list.ts";

const seqsOf = (list: CallList): number[] => list.rows.map(({ seq }) => seq);

describe("CallList", () => {
  it("keeps each call once and in order, whatever comes in which order", () => {
    const batches = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }), { maxLength: 10 });
    fc.assert(
      fc.property(batches, (given) => {
        const list = new CallList();
        for (const seqs of given) list.add([...new Set(seqs)].map((seq) => callRow(seq)));
        expect(seqsOf(list)).toEqual([...new Set(given.flat())].toSorted((one, other) => one - other));
      }),
      lawRuns(1_000),
    );
  });

  it("says when positions in it changed: not for new calls, but for older ones and for a new start", () => {
    const list = new CallList();
    list.add([callRow(5), callRow(6)]);
    const { revision } = list;
    list.add([callRow(7)]);
    list.add([callRow(6)]);
    expect(list.revision).toBe(revision);
    list.add([callRow(2), callRow(1)]);
    expect(list.revision).toBe(revision + 1);
    expect(list.oldestSeq).toBe(1);
    list.clear();
    expect([list.revision, list.newestSeq, list.oldestSeq]).toEqual([revision + 2, 0, 0]);
  });

  it("drops the oldest when there are too many, and finds the others by their number", () => {
    const list = new CallList();
    for (let start = 1; start <= MAX_ROWS + 6_000; start += 1_000)
      list.add(Array.from({ length: 1_000 }, (_, at) => callRow(start + at)));
    expect(list.rows.length).toBeLessThanOrEqual(MAX_ROWS + 5_000);
    expect(list.rows.length).toBeGreaterThanOrEqual(MAX_ROWS);
    expect(list.newestSeq).toBe(MAX_ROWS + 6_000);
    expect(list.find(1)).toBeUndefined();
    expect(list.find(MAX_ROWS)?.seq).toBe(MAX_ROWS);
  });
});

describe("firstAtLeast", () => {
  it("finds the place of a call, or where it would be", () => {
    const rows = [2, 4, 6].map((seq) => callRow(seq));
    expect([1, 2, 3, 6, 7].map((seq) => firstAtLeast(rows, seq))).toEqual([0, 0, 1, 2, 3]);
  });
});
